-- Semel, keys in PostgreSQL: claims.
-- All functions use clock_timestamp() and not now(), because the caller's transaction may be old.

-- {plain}
DO $$
BEGIN
    IF to_regclass('{key}_rotation') IS NOT NULL THEN
        RAISE EXCEPTION '{key} keeps its keys in generations, and these functions are for a table that does not';
    END IF;
END
$$;

-- {end plain}
-- Claims keys, given in the order of their digests, and answers each with one row. A key that another transaction changes in
-- the meantime may get no row, and has to be claimed again. One that another transaction has inserted in the meantime
--   in mode 0 fails the whole statement with a unique violation, which is quickest if it hardly ever happens,
--   in mode 1 is answered like one that was there before,
--   in mode 2, inside a transaction of the application, gets no row if that other transaction has claimed it in this
--     mode too and is not over, and is not waited for.
-- Mode 3 looks at keys that are in use, and does not touch others.
-- Verdicts: 0 acquired, 1 in flight, 2 settled, 3 mismatch, 4 unknown, 5 expired,
--   6 lapsed, but at this moment in the hands of another transaction.
-- {generations}
-- A key is in use in one slot at most. Claims that put a new key into the same slot meet at the primary key of the slot.
-- At a rotation, some claims put it into the slot before and some into the next one. So from the moment of the rotation
-- to when the last claim has ended that does not know of it, claims put a guard into the slot before, which is a row
-- like that of a released key, and only then the key into the next one. No claim waits for a rotation.
-- {end generations}
CREATE OR REPLACE FUNCTION {key}_claim(
    mode integer, digests uuid[], nonces uuid[], fingerprints bytea[], leases bigint[], takeovers boolean[],
    namespaces text[], scopes text[], keys text[], operations text[], traces text[], retentions text[])
    RETURNS TABLE (
        {columns of an answer})
    LANGUAGE plpgsql
    {settings}
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz;
    here smallint := 0;
    guard smallint;
    own_keys bigint := 0;
    seen_keys bigint;
BEGIN
    {wait for the disk}

-- {generations}
    -- The lock comes before the look, and stays until the end of the transaction: a rotation sees by it who may not know
    -- of it yet. A transaction with a snapshot for all of its statements fails here if there was a rotation since.
    LOCK TABLE {key}_rotation IN ACCESS SHARE MODE;
    IF current_setting('transaction_isolation') = 'read committed' THEN
        SELECT r.slot, r.guarded INTO STRICT here, guard FROM {key}_rotation r;
    ELSE
        SELECT r.slot, r.guarded INTO STRICT here, guard FROM {key}_rotation r FOR SHARE;
    END IF;
-- {end generations}
    at := clock_timestamp();

    -- Most keys are new. Those that are not are left alone by this: a replay costs no write.
    IF mode = 0 AND guard IS NULL THEN
        -- ON CONFLICT would cost every row a second look at the index and another record in the log.
        CASE here
-- {each slot}
        WHEN {slot} THEN
            RETURN QUERY
            INSERT INTO {place} ({columns of a new key})
            SELECT {new key}
            FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
            WHERE (SELECT k.digest FROM {key} k WHERE k.digest = u.digest LIMIT 1) IS NULL
            RETURNING {answer for a new key};
-- {end slot}
        END CASE;
        GET DIAGNOSTICS own_keys = ROW_COUNT;
    ELSIF mode = 1 AND guard IS NULL THEN
        CASE here
-- {each slot}
        WHEN {slot} THEN
            RETURN QUERY
            INSERT INTO {place} ({columns of a new key})
            SELECT {new key}
            FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
            WHERE (SELECT k.digest FROM {key} k WHERE k.digest = u.digest LIMIT 1) IS NULL
            ON CONFLICT DO NOTHING
            RETURNING {answer for a new key};
-- {end slot}
        END CASE;
        GET DIAGNOSTICS own_keys = ROW_COUNT;
    END IF;
    IF own_keys = cardinality(digests) THEN
        RETURN;
    END IF;

    -- Keys that are in use, wherever they are.
    RETURN QUERY
    WITH seen AS MATERIALIZED (
        SELECT i, k.tableoid AS place, k.*,
            {verdict} AS verdict
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        JOIN {key} k ON k.digest BETWEEN u.digest AND u.digest
        WHERE (k.nonce <> nonces[i] OR k.claimed_at <> at)
            AND {in use}
    ), lapsed AS MATERIALIZED (
        -- A transaction of the application that is about to settle the key is not waited for.
        SELECT s.i, s.place
        FROM seen s
        JOIN {key} k ON k.digest BETWEEN s.digest AND s.digest AND k.tableoid = s.place
        WHERE s.verdict = 6 AND k.nonce = s.nonce AND k.state = s.state AND k.lease_until = s.lease_until
        FOR UPDATE OF k SKIP LOCKED
    ), taken AS (
        UPDATE {key} k
        SET nonce = nonces[s.i],
            token = nextval('{key}_token'),
            claimed_at = at,
            lease_until = at + leases[s.i] * interval '1 microsecond',
            attempt = k.attempt + 1,
            fingerprint = fingerprints[s.i],
            operation = operations[s.i],
            trace_id = traces[s.i],
            retention = retentions[s.i],
            state = 0,
            history = {key}_noted(
                k.history, at, k.attempt, k.token, 'taken over', 'lease lapsed at ' || {key}_iso(k.lease_until))
        FROM lapsed s
        WHERE k.digest BETWEEN digests[s.i] AND digests[s.i] AND k.tableoid = s.place
        RETURNING k.digest, k.token, k.attempt, k.steps
    )
    SELECT s.digest,
        CASE WHEN t.digest IS NULL THEN s.verdict ELSE 0 END,
        coalesce(t.token, s.token),
        coalesce(t.attempt, s.attempt),
        CASE WHEN t.digest IS NOT NULL THEN t.steps WHEN s.verdict = 0 THEN s.steps END,
        at, s.claimed_at, s.lease_until, s.settled_at, s.expires_at, s.state, s.status, s.format,
        CASE s.verdict WHEN 2 THEN s.headers END,
        CASE s.verdict WHEN 2 THEN s.body END,
        CASE s.verdict WHEN 2 THEN s.trace_id END
    FROM seen s
    LEFT JOIN taken t ON t.digest = s.digest;

    GET DIAGNOSTICS seen_keys = ROW_COUNT;
    IF own_keys + seen_keys >= cardinality(digests) OR mode = 3 THEN
        RETURN;
    END IF;
    IF mode = 2 AND NOT pg_try_advisory_xact_lock(hashtextextended(digests[1]::text, 0)) THEN
        RETURN;
    END IF;

    -- What is left is free: an expired or released row in any slot, or none at all. A claim that changes a free row changes
    -- its nonce, so that the next one who wanted it notices.
-- {generations}
    IF guard IS NOT NULL THEN
        CASE guard
-- {each slot}
        WHEN {slot} THEN
            WITH free AS MATERIALIZED (
                SELECT i, u.digest, g.nonce, g.state, g.lease_until
                FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
                LEFT JOIN {place} g ON g.digest BETWEEN u.digest AND u.digest
                WHERE (
                    SELECT k.digest FROM {key} k
                    WHERE k.digest = u.digest
                        AND {in use}
                    LIMIT 1) IS NULL
            ), locked AS MATERIALIZED (
                SELECT f.i
                FROM free f
                JOIN {place} g ON g.digest BETWEEN f.digest AND f.digest
                WHERE g.nonce = f.nonce AND g.state = f.state AND g.lease_until = f.lease_until
                FOR UPDATE OF g
            ), guarded AS (
                UPDATE {place} g
                SET nonce = nonces[l.i], claimed_at = at, lease_until = at, state = 4,
                    status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL,
                    purge_at = at + interval '10 minutes', headers = NULL, body = NULL, steps = NULL, history = NULL
                FROM locked l
                WHERE g.digest BETWEEN digests[l.i] AND digests[l.i]
            )
            INSERT INTO {place} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
                namespace, scope, key, operation, state, purge_at)
            SELECT f.digest, nonces[i], nextval('{key}_token'), at, at, 0,
                fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], 4, at + interval '10 minutes'
            FROM free f
            WHERE f.nonce IS NULL
            ON CONFLICT DO NOTHING;
-- {end slot}
        END CASE;
    END IF;
-- {end generations}
    CASE here
-- {each slot}
    WHEN {slot} THEN
        RETURN QUERY
        WITH free AS MATERIALIZED (
            SELECT i, u.digest, h.nonce, h.state, h.lease_until
            FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
            LEFT JOIN {place} h ON h.digest BETWEEN u.digest AND u.digest
            WHERE (
                SELECT k.digest FROM {key} k
                WHERE k.digest = u.digest
                    AND {in use}
                LIMIT 1) IS NULL
-- {generations}
                AND (guard IS NULL OR (
                    SELECT k.digest FROM {key} k
                    WHERE k.digest = u.digest AND k.nonce = nonces[i] AND k.claimed_at = at AND k.state = 4
                    LIMIT 1) IS NOT NULL)
-- {end generations}
        ), locked AS MATERIALIZED (
            SELECT f.i
            FROM free f
            JOIN {place} h ON h.digest BETWEEN f.digest AND f.digest
            WHERE h.nonce = f.nonce AND h.state = f.state AND h.lease_until = f.lease_until
            FOR UPDATE OF h
        ), reused AS (
            UPDATE {place} h
            SET nonce = nonces[l.i], token = nextval('{key}_token'), claimed_at = at,
                lease_until = at + leases[l.i] * interval '1 microsecond', attempt = 1,
                fingerprint = fingerprints[l.i], operation = operations[l.i], trace_id = traces[l.i],
                retention = retentions[l.i], state = 0,
                status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL, purge_at = NULL,
                headers = NULL, body = NULL, steps = NULL, history = NULL
            FROM locked l
            WHERE h.digest BETWEEN digests[l.i] AND digests[l.i]
            RETURNING h.digest, h.token
        ), inserted AS (
            INSERT INTO {place} ({columns of a new key})
            SELECT {new key}
            FROM free u
            WHERE u.nonce IS NULL
            ON CONFLICT DO NOTHING
            RETURNING digest, token
        )
        SELECT w.digest, 0, w.token, 1, NULL::bytea,
            NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
            0::smallint, NULL::smallint, NULL::smallint, NULL::bytea, NULL::bytea, NULL::text
        FROM (SELECT r.digest, r.token FROM reused r UNION ALL SELECT n.digest, n.token FROM inserted n) w;
-- {end slot}
    END CASE;
END
$$;

-- Claims one key inside the caller's transaction, which stays usable whatever happens here. No row means that another
-- transaction holds the key, or has just inserted it.
CREATE OR REPLACE FUNCTION {key}_claim_joined(
    uuid, uuid, bytea, bigint, boolean, text, text, text, text, text, text)
    RETURNS TABLE (
        {columns of an answer})
    LANGUAGE plpgsql
AS $$
BEGIN
    RETURN QUERY
    SELECT c.*
    FROM {key}_claim(2, ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
        ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10], ARRAY[$11]) c;
EXCEPTION
    WHEN lock_not_available OR serialization_failure THEN
        RETURN;
END
$$;

-- Claims one key, like {key}_claim in mode 1, and answers with one row of the same columns. A new key, as most are, needs
-- nothing but an insert, which has no plan that could be wrong for a table that has grown. All else is left to
-- {key}_claim, whose statements see what this one has just run into. In generations there is no shorter way.
CREATE OR REPLACE FUNCTION {key}_claim_one(
    digests uuid, nonces uuid, fingerprints bytea, leases bigint, takeovers boolean,
    namespaces text, scopes text, keys text, operations text, traces text, retentions text)
    RETURNS TABLE (
        {columns of an answer})
-- {plain}
    LANGUAGE plpgsql
    SET lock_timeout = '50ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
BEGIN
    {wait for the disk}

    RETURN QUERY
    INSERT INTO {key} ({columns of a new key})
    SELECT {new key of one}
    FROM (VALUES (digests)) AS u(digest)
    ON CONFLICT DO NOTHING
    RETURNING {answer for a new key};

    IF NOT FOUND THEN
        RETURN QUERY
        SELECT c.*
        FROM {key}_claim(1, ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
            ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10], ARRAY[$11]) c;
    END IF;
END
$$;
-- {end plain}
-- {generations}
    LANGUAGE sql
AS $$
    SELECT * FROM {key}_claim(1, ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
        ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10], ARRAY[$11])
$$;
-- {end generations}
