-- Semel, keys in PostgreSQL: version 5 of the schema lets no call wait for a key that somebody holds, and keeps in the
-- database which generation may be emptied.

-- Longer than most commits take. A batch that runs into a key that is held for longer is sent again in a way that waits for
-- nobody, and what concerns that key stands aside.
ALTER FUNCTION {key}_claim SET lock_timeout = '50ms';
ALTER FUNCTION {key}_claim_one SET lock_timeout = '50ms';
ALTER FUNCTION {key}_settle SET lock_timeout = '50ms';
ALTER FUNCTION {key}_settle_one SET lock_timeout = '50ms';
ALTER FUNCTION {key}_renew SET lock_timeout = '50ms';
ALTER FUNCTION {key}_mark SET lock_timeout = '50ms';
ALTER FUNCTION {key}_step SET lock_timeout = '50ms';

-- Settles one key inside the caller's transaction, which would have to be rolled back if this gave up: so it waits for
-- longer than any commit takes.
CREATE FUNCTION {key}_settle_joined(
    uuid, bigint, smallint, smallint, smallint, bigint, bigint, bigint, bytea, bytea)
    RETURNS boolean
    LANGUAGE plpgsql
AS $$
BEGIN
    FOR round IN 1..10 LOOP
        BEGIN
            RETURN {key}_settle_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
        EXCEPTION
            WHEN lock_not_available THEN
                IF round = 10 THEN
                    RAISE;
                END IF;
        END;
    END LOOP;
END
$$;

-- Of the given keys, locks the rows that nobody holds, and returns those keys of which somebody holds a row.
CREATE FUNCTION {key}_held(digests uuid[]) RETURNS SETOF uuid
    LANGUAGE sql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
    WITH unheld AS MATERIALIZED (
        SELECT k.digest, k.token FROM {key} k WHERE k.digest = ANY (digests) FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT DISTINCT k.digest
    FROM {key} k
    WHERE k.digest = ANY (digests)
        AND NOT EXISTS (SELECT FROM unheld u WHERE u.digest = k.digest AND u.token = k.token)
$$;

-- For a table that keeps its keys in generations: what a failover or a restore that loses the carrying of keys loses too.
ALTER TABLE IF EXISTS {key}_slot
    ADD COLUMN IF NOT EXISTS looked uuid,        -- names the last look at all of it
    ADD COLUMN IF NOT EXISTS carried integer,    -- how many pieces of what was found then are carried
    ADD COLUMN IF NOT EXISTS unneeded bigint;    -- how many keys go when it is emptied; null as long as it must not be

CREATE OR REPLACE FUNCTION {key}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 5 $$;
