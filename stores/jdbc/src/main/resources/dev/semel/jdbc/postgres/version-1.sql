-- Semel, keys in PostgreSQL 13 or newer: version 1 of the schema.
-- Needs no extension and no superuser; UTF8 databases only. Run it in one transaction.

-- Fencing tokens. CACHE must stay 1: tokens have to grow over all sessions, not only within one.
CREATE SEQUENCE {key}_token CACHE 1;

-- What a settle does not change stands first, so that its WAL record is only the rest of the row. Most of each page is
-- left free for the settled row to find room beside the claimed one, so that no index is touched: 20 % suits outcomes of
-- half a kilobyte. There is no index on times or states: every claim and settle would pay for it, and the purge
-- walks the blocks instead.
CREATE TABLE {key} (
    digest      uuid        NOT NULL,  -- names the key: hash of namespace, scope and key
    nonce       uuid        NOT NULL,  -- names the attempt: a claim that is sent again finds itself
    token       bigint      NOT NULL,  -- the fencing token of the attempt; every write of an attempt is conditional on it
    claimed_at  timestamptz NOT NULL,
    lease_until timestamptz NOT NULL,
    attempt     integer     NOT NULL,
    fingerprint bytea       NOT NULL,  -- four bytes of the operation, one of version, four of rules, then SHA-256
    namespace   text,                  -- null for the default, v1:default
    scope       text        NOT NULL,
    key         text        NOT NULL,
    operation   text        NOT NULL,
    trace_id    text,
    retention   text,                  -- active/audit/tombstone, how long to keep it once it is settled; null for PT24H
    state       smallint    NOT NULL,  -- 0 pending, 1 unknown, 2 succeeded, 3 failed, 4 released
    status      smallint,
    format      smallint,
    settled_at  timestamptz,
    expires_at  timestamptz,           -- until then the outcome is replayed
    free_at     timestamptz,           -- when the key may be claimed anew, if later than expires_at
    purge_at    timestamptz,           -- until when people may look at all of it, if later than expires_at
    headers     bytea,
    steps       bytea,
    history     text,
    body        bytea,
    CONSTRAINT {name}_pkey PRIMARY KEY (digest)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.02);

CREATE FUNCTION {key}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 1 $$;

CREATE FUNCTION {key}_iso(at timestamptz) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- A history with one more line, cut at the front when it gets long.
CREATE FUNCTION {key}_noted(history text, at timestamptz, attempt integer, token bigint, event text, note text)
    RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT right(concat(history,
        {key}_iso(at), E'\t', attempt, E'\t', token, E'\t', event, E'\t', note, E'\n'), 16000)
$$;

-- The functions below are what attempts call. They keep their plans, also those that were made while the table was empty,
-- so no plan may be possible that is wrong for a full one. Keys are therefore joined by BETWEEN: to read all of an index
-- because it is in the order of an equality is no choice then, and all else is switched off. Their transactions wait for
-- the disk whatever the default. They use clock_timestamp() and not now(), because the caller's transaction may be old.

-- Claims keys, given in the order of their digests, and answers each with one row. A key that another transaction has
-- inserted in the meantime
--   in mode 0 fails the whole statement with a unique violation, which is quickest if it hardly ever happens,
--   in mode 1 is answered like one that was there before,
--   in mode 2, inside a transaction of the application, gets no row if that other transaction has claimed it in this
--     mode too and is not over, and is not waited for.
-- Mode 3 looks at keys and does not insert them.
-- Verdicts: 0 acquired, 1 in flight, 2 settled, 3 mismatch, 4 unknown, 5 expired,
--   6 lapsed and 7 free, but at this moment in the hands of another transaction.
CREATE FUNCTION {key}_claim(
    mode integer, digests uuid[], nonces uuid[], fingerprints bytea[], leases bigint[], takeovers boolean[],
    namespaces text[], scopes text[], keys text[], operations text[], traces text[], retentions text[])
    RETURNS TABLE (
        digest uuid, verdict integer, token bigint, attempt integer, steps bytea,
        asked_at timestamptz, claimed_at timestamptz, lease_until timestamptz,
        settled_at timestamptz, expires_at timestamptz, state smallint, status smallint, format smallint,
        headers bytea, body bytea, trace_id text)
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off
    SET plan_cache_mode = force_generic_plan SET jit = off
    -- Longer than any commit takes: whoever holds a key longer is a transaction of the application.
    SET lock_timeout = '500ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
    claimed_keys bigint := 0;
    seen_keys bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    -- Most keys are new. Those that are not are left alone by this: a replay costs no write.
    IF mode = 0 THEN
        -- ON CONFLICT would cost every row a second look at the index and another record in the log.
        RETURN QUERY
        INSERT INTO {key} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
            namespace, scope, key, operation, trace_id, retention, state)
        SELECT u.digest, nonces[i], nextval('{key}_token'), at, at + leases[i] * interval '1 microsecond', 1,
            fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], traces[i], retentions[i], 0
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE (SELECT k.digest FROM {key} k WHERE k.digest = u.digest) IS NULL
        RETURNING digest, 0, token, attempt, steps,
            NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
            state, status, format, headers, body, NULL::text;
        GET DIAGNOSTICS claimed_keys = ROW_COUNT;
    ELSIF mode = 1 THEN
        RETURN QUERY
        INSERT INTO {key} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
            namespace, scope, key, operation, trace_id, retention, state)
        SELECT u.digest, nonces[i], nextval('{key}_token'), at, at + leases[i] * interval '1 microsecond', 1,
            fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], traces[i], retentions[i], 0
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE (SELECT k.digest FROM {key} k WHERE k.digest = u.digest) IS NULL
        ON CONFLICT DO NOTHING
        RETURNING digest, 0, token, attempt, steps,
            NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
            state, status, format, headers, body, NULL::text;
        GET DIAGNOSTICS claimed_keys = ROW_COUNT;
    END IF;
    IF claimed_keys = cardinality(digests) THEN
        RETURN;
    END IF;

    RETURN QUERY
    WITH seen AS MATERIALIZED (
        SELECT i, k.*,
            CASE
                WHEN k.state = 4 OR coalesce(k.free_at, k.expires_at) <= at THEN 7
                WHEN k.state = 0 AND k.nonce = nonces[i] THEN 0
                WHEN k.expires_at <= at THEN 5
                WHEN k.fingerprint <> fingerprints[i]
                    AND (substring(k.fingerprint FROM 1 FOR 4) <> substring(fingerprints[i] FROM 1 FOR 4)
                        OR substring(k.fingerprint FROM 5 FOR 5) = substring(fingerprints[i] FROM 5 FOR 5)) THEN 3
                WHEN k.state >= 2 THEN 2
                WHEN k.state = 1 THEN 4
                WHEN k.lease_until > at THEN 1
                WHEN takeovers[i] THEN 6
                ELSE 4
            END AS verdict
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        JOIN {key} k ON k.digest BETWEEN u.digest AND u.digest
        WHERE k.nonce <> nonces[i] OR k.claimed_at <> at
    ), lapsed AS MATERIALIZED (
        -- A transaction of the application that is about to settle the key is not waited for.
        SELECT s.i, s.verdict
        FROM seen s
        JOIN {key} k ON k.digest BETWEEN s.digest AND s.digest
        WHERE (s.verdict = 6 OR s.verdict = 7 AND mode >= 2)
            AND k.nonce = s.nonce AND k.state = s.state AND k.lease_until = s.lease_until
        FOR UPDATE OF k SKIP LOCKED
    ), free AS MATERIALIZED (
        -- A purge, or another node that wants the same free key, is done in a moment.
        SELECT s.i, s.verdict
        FROM seen s
        JOIN {key} k ON k.digest BETWEEN s.digest AND s.digest
        WHERE s.verdict = 7 AND mode < 2
            AND k.nonce = s.nonce AND k.state = s.state AND k.lease_until = s.lease_until
        FOR UPDATE OF k
    ), taken AS (
        UPDATE {key} k
        SET nonce = nonces[s.i],
            token = nextval('{key}_token'),
            claimed_at = at,
            lease_until = at + leases[s.i] * interval '1 microsecond',
            attempt = CASE s.verdict WHEN 6 THEN k.attempt + 1 ELSE 1 END,
            fingerprint = fingerprints[s.i],
            operation = operations[s.i],
            trace_id = traces[s.i],
            retention = retentions[s.i],
            state = 0,
            status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL, purge_at = NULL,
            headers = NULL, body = NULL,
            steps = CASE s.verdict WHEN 6 THEN k.steps END,
            history = CASE
                WHEN s.verdict = 6 THEN {key}_noted(
                    k.history, at, k.attempt, k.token, 'taken over', 'lease lapsed at ' || {key}_iso(k.lease_until))
                WHEN k.state = 4 THEN k.history
            END
        FROM (SELECT * FROM lapsed UNION ALL SELECT * FROM free) s
        WHERE k.digest BETWEEN digests[s.i] AND digests[s.i]
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
    IF mode = 2 AND seen_keys = 0 AND pg_try_advisory_xact_lock(hashtextextended(digests[1]::text, 0)) THEN
        RETURN QUERY
        SELECT c.*
        FROM {key}_claim(1, digests, nonces, fingerprints, leases, takeovers,
            namespaces, scopes, keys, operations, traces, retentions) c;
    END IF;
END
$$;

-- Claims one key inside the caller's transaction, which stays usable whatever happens here. No row means that another
-- transaction holds the key, or has just inserted it.
CREATE FUNCTION {key}_claim_joined(
    uuid, uuid, bytea, bigint, boolean, text, text, text, text, text, text)
    RETURNS TABLE (
        digest uuid, verdict integer, token bigint, attempt integer, steps bytea,
        asked_at timestamptz, claimed_at timestamptz, lease_until timestamptz,
        settled_at timestamptz, expires_at timestamptz, state smallint, status smallint, format smallint,
        headers bytea, body bytea, trace_id text)
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

-- Settles keys, given in the order of their digests, and returns those that are settled by these attempts: now, or
-- before by the same call.
CREATE FUNCTION {key}_settle(
    digests uuid[], tokens bigint[], states smallint[], statuses smallint[], formats smallint[],
    actives bigint[], frees bigint[], purges bigint[], header_lines bytea[], bodies bytea[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off
    SET plan_cache_mode = force_generic_plan SET jit = off
    SET lock_timeout = '500ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
    settled_keys bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    RETURN QUERY
    UPDATE {key} k
    SET state = states[i],
        status = statuses[i],
        format = formats[i],
        settled_at = at,
        expires_at = at + actives[i] * interval '1 microsecond',
        free_at = at + frees[i] * interval '1 microsecond',
        purge_at = at + purges[i] * interval '1 microsecond',
        headers = header_lines[i],
        body = bodies[i]
    FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
    WHERE k.digest BETWEEN u.digest AND u.digest AND k.token = tokens[i] AND k.state IN (0, 1)
    RETURNING k.digest;

    GET DIAGNOSTICS settled_keys = ROW_COUNT;
    IF settled_keys < cardinality(digests) THEN
        RETURN QUERY
        SELECT k.digest
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        JOIN {key} k ON k.digest BETWEEN u.digest AND u.digest
        WHERE k.token = tokens[i] AND k.state IN (2, 3);
    END IF;
END
$$;

-- Extends leases, given in the order of their digests, and returns those that are still held.
CREATE FUNCTION {key}_renew(digests uuid[], tokens bigint[], leases bigint[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off
    SET plan_cache_mode = force_generic_plan SET jit = off
    SET lock_timeout = '500ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    RETURN QUERY
    UPDATE {key} k
    SET lease_until = clock_timestamp() + leases[i] * interval '1 microsecond'
    FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
    WHERE k.digest BETWEEN u.digest AND u.digest AND k.token = tokens[i] AND k.state = 0
    RETURNING k.digest;
END
$$;

-- Releases keys (state 4) or marks them unknown (state 1), and returns those whose lease was still held. A released row
-- stays for a while: a claim that is stuck in the middle of inserting the key must not succeed with an older token.
CREATE FUNCTION {key}_mark(digests uuid[], tokens bigint[], states smallint[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off
    SET plan_cache_mode = force_generic_plan SET jit = off
    SET lock_timeout = '500ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    RETURN QUERY
    UPDATE {key} k
    SET state = states[i],
        steps = CASE states[i] WHEN 1 THEN k.steps END,
        purge_at = CASE states[i] WHEN 4 THEN at + interval '10 minutes' END,
        history = CASE WHEN states[i] = 1 AND k.state = 0
            THEN {key}_noted(k.history, at, k.attempt, k.token, 'marked unknown', 'nobody can tell what happened')
            ELSE k.history END
    FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
    WHERE k.digest BETWEEN u.digest AND u.digest AND k.token = tokens[i] AND k.state IN (0, 1)
    RETURNING k.digest;
END
$$;

-- Adds the results of steps to pending keys, and returns those whose lease is still held.
CREATE FUNCTION {key}_step(digests uuid[], tokens bigint[], results bytea[])
    RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off
    SET plan_cache_mode = force_generic_plan SET jit = off
    SET lock_timeout = '500ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    RETURN QUERY
    UPDATE {key} k
    SET steps = coalesce(k.steps, '') || results[i]
    FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
    WHERE k.digest BETWEEN u.digest AND u.digest AND k.token = tokens[i] AND k.state = 0
    RETURNING k.digest;
END
$$;

-- What of a body can be shown as JSON; null for everything else.
CREATE FUNCTION {key}_json(body bytea) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN convert_from(body, 'UTF8')::jsonb;
EXCEPTION
    WHEN data_exception OR program_limit_exceeded OR statement_too_complex THEN
        RETURN NULL;
END
$$;

-- Keys for people to look at and to query.
CREATE VIEW {key}_view AS
SELECT
    coalesce(namespace, 'v1:default') AS namespace, scope, key, operation,
    CASE
        WHEN state = 0 AND lease_until > clock_timestamp() THEN 'pending'
        WHEN state = 0 THEN 'lapsed'
        WHEN state = 1 THEN 'unknown'
        WHEN expires_at <= clock_timestamp() THEN 'expired'
        WHEN state = 2 THEN 'succeeded'
        ELSE 'failed'
    END AS state,
    attempt, token, claimed_at, lease_until, settled_at, expires_at, status,
    convert_from(headers, 'UTF8') AS headers,
    {key}_json(body) AS body,
    octet_length(body) AS body_bytes,
    format, trace_id, coalesce(retention, 'PT24H') AS retention, history, digest
FROM {key}
WHERE state <> 4;
