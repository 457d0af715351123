-- Semel, keys in PostgreSQL: what an attempt writes to the key that it owns.

-- Settles keys, given in the order of their digests, and returns those that are settled by these attempts: now, or
-- before by the same call.
CREATE OR REPLACE FUNCTION {key}_settle(
    digests uuid[], nonces uuid[], tokens bigint[], states smallint[], statuses smallint[], formats smallint[],
    actives bigint[], frees bigint[], purges bigint[], header_lines bytea[], bodies bytea[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    {settings}
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
    settled_keys bigint := 0;
    these bigint;
BEGIN
    {wait for the disk}

    FOR round IN 1..{rounds} LOOP
        RETURN QUERY
        UPDATE {key} k
        SET {settled}
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE k.digest BETWEEN u.digest AND u.digest AND {owned} AND k.state IN (0, 1)
        RETURNING k.digest;

        GET DIAGNOSTICS these = ROW_COUNT;
        settled_keys := settled_keys + these;
        IF settled_keys >= cardinality(digests) THEN
            RETURN;
        END IF;
    END LOOP;

    -- What an earlier life of the key has left in another slot does not count.
    RETURN QUERY
    SELECT k.digest
    FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
    JOIN {key} k ON k.digest BETWEEN u.digest AND u.digest
    WHERE {owned} AND k.state IN (2, 3)
        AND (SELECT n.digest FROM {key} n WHERE n.digest = k.digest AND n.token > k.token LIMIT 1) IS NULL;
END
$$;

-- Settles one key, and says whether it is settled by this attempt: now, or before by the same call.
CREATE OR REPLACE FUNCTION {key}_settle_one(
    digests uuid, nonces uuid, tokens bigint, states smallint, statuses smallint, formats smallint,
    actives bigint, frees bigint, purges bigint, header_lines bytea, bodies bytea)
    RETURNS boolean
-- {plain}
    LANGUAGE plpgsql
    SET enable_seqscan = off SET jit = off
    SET lock_timeout = '50ms'
AS $$
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
BEGIN
    {wait for the disk}

    UPDATE {key} k
    SET {settled of one}
    WHERE k.digest = digests AND {owned of one} AND k.state IN (0, 1);

    IF FOUND THEN
        RETURN true;
    END IF;
    RETURN EXISTS (SELECT FROM {key} k WHERE k.digest = digests AND {owned of one} AND k.state IN (2, 3));
END
$$;
-- {end plain}
-- {generations}
    LANGUAGE sql
AS $$
    SELECT EXISTS (SELECT FROM {key}_settle(ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
        ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10], ARRAY[$11]))
$$;
-- {end generations}

-- Settles one key inside the caller's transaction, which would have to be rolled back if this gave up: so it waits for
-- longer than any commit takes.
CREATE OR REPLACE FUNCTION {key}_settle_joined(
    uuid, uuid, bigint, smallint, smallint, smallint, bigint, bigint, bigint, bytea, bytea)
    RETURNS boolean
    LANGUAGE plpgsql
AS $$
BEGIN
    FOR round IN 1..10 LOOP
        BEGIN
            RETURN {key}_settle_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
        EXCEPTION
            WHEN lock_not_available THEN
                IF round = 10 THEN
                    RAISE;
                END IF;
        END;
    END LOOP;
END
$$;

-- Extends leases, given in the order of their digests, and returns those that are still held.
CREATE OR REPLACE FUNCTION {key}_renew(digests uuid[], nonces uuid[], tokens bigint[], leases bigint[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    {settings}
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    these bigint;
BEGIN
    {wait for the disk}

    FOR round IN 1..{rounds} LOOP
        RETURN QUERY
        UPDATE {key} k
        SET lease_until = clock_timestamp() + leases[i] * interval '1 microsecond'
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE k.digest BETWEEN u.digest AND u.digest AND {owned} AND k.state = 0
        RETURNING k.digest;

        GET DIAGNOSTICS these = ROW_COUNT;
        EXIT WHEN these >= cardinality(digests);
    END LOOP;
END
$$;

-- Releases keys (state 4) or marks them unknown (state 1), and returns those whose lease was still held. A released row
-- stays for a while: a claim that is stuck in the middle of inserting the key must not succeed with an older token.
CREATE OR REPLACE FUNCTION {key}_mark(digests uuid[], nonces uuid[], tokens bigint[], states smallint[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    {settings}
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
    these bigint;
BEGIN
    {wait for the disk}

    FOR round IN 1..{rounds} LOOP
        RETURN QUERY
        UPDATE {key} k
        SET state = states[i],
            steps = CASE states[i] WHEN 1 THEN k.steps END,
            purge_at = CASE states[i] WHEN 4 THEN at + interval '10 minutes' END,
            history = CASE
                WHEN states[i] = 4 THEN NULL
                WHEN k.state = 1 THEN k.history
                ELSE {key}_noted(k.history, at, k.attempt, k.token, 'marked unknown', 'the outcome is unknown')
            END
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE k.digest BETWEEN u.digest AND u.digest AND {owned} AND k.state IN (0, 1)
        RETURNING k.digest;

        GET DIAGNOSTICS these = ROW_COUNT;
        EXIT WHEN these >= cardinality(digests);
    END LOOP;
END
$$;

-- Adds the results of steps to pending keys, and returns those whose lease is still held. A result that is added twice
-- counts once.
CREATE OR REPLACE FUNCTION {key}_step(digests uuid[], nonces uuid[], tokens bigint[], results bytea[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    {settings}
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    these bigint;
BEGIN
    {wait for the disk}

    FOR round IN 1..{rounds} LOOP
        RETURN QUERY
        UPDATE {key} k
        SET steps = coalesce(k.steps, '') || results[i]
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE k.digest BETWEEN u.digest AND u.digest AND {owned} AND k.state = 0
        RETURNING k.digest;

        GET DIAGNOSTICS these = ROW_COUNT;
        EXIT WHEN these >= cardinality(digests);
    END LOOP;
END
$$;
