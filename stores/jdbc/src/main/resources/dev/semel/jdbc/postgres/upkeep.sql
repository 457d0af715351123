-- Semel, keys in PostgreSQL: what maintenance calls, and a view for people.

-- Of the given keys, locks the rows that are free, and returns the keys of which another transaction holds a row.
CREATE OR REPLACE FUNCTION {key}_held(digests uuid[]) RETURNS SETOF uuid
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

-- Takes over the record of another store, unless the key is known here: it is claimed, and becomes what the record says.
CREATE OR REPLACE FUNCTION {key}_import(
    new_digest uuid, new_nonce uuid, new_token bigint, claimed_micros bigint, lease_micros bigint, new_attempt integer,
    new_fingerprint bytea, new_namespace text, new_scope text, new_key text, new_operation text, new_trace text,
    new_retention text, new_state smallint, new_status smallint, new_format smallint, settled_micros bigint,
    expires_micros bigint, free_micros bigint, purge_micros bigint, new_headers bytea, new_steps bytea,
    new_history text, new_body bytea)
    RETURNS boolean
    LANGUAGE plpgsql
AS $$
DECLARE
    at timestamptz := clock_timestamp();
    own bigint;
    verdict integer;
BEGIN
    IF new_token <= (SELECT max(k.token) FROM {key} k WHERE k.digest = new_digest AND k.attempt > 0) THEN
        RETURN false;
    END IF;
    SELECT c.token, c.verdict INTO own, verdict
    FROM {key}_claim(2, ARRAY[new_digest], ARRAY[new_nonce], ARRAY[new_fingerprint], ARRAY[60000000::bigint], ARRAY[false],
        ARRAY[new_namespace], ARRAY[new_scope], ARRAY[new_key], ARRAY[new_operation], ARRAY[new_trace],
        ARRAY[new_retention]) c;
    -- A transaction that is about to claim the key may still be rolled back, and then it would be missing here.
    IF verdict IS NULL THEN
        RAISE EXCEPTION 'another transaction holds the key' USING ERRCODE = 'lock_not_available';
    END IF;
    IF verdict <> 0 THEN
        RETURN false;
    END IF;
    UPDATE {key} k
    SET token = new_token,
        claimed_at = at + claimed_micros * interval '1 microsecond',
        lease_until = at + lease_micros * interval '1 microsecond',
        attempt = new_attempt,
        state = new_state,
        status = new_status,
        format = new_format,
        settled_at = at + settled_micros * interval '1 microsecond',
        expires_at = at + expires_micros * interval '1 microsecond',
        free_at = at + free_micros * interval '1 microsecond',
        purge_at = at + purge_micros * interval '1 microsecond',
        headers = new_headers,
        steps = new_steps,
        history = new_history,
        body = new_body
    WHERE k.digest = new_digest AND k.token = own AND k.state = 0;
    RETURN FOUND;
END
$$;

-- Keys for people to look at and to query.
CREATE OR REPLACE VIEW {key}_view AS
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

-- {generations}
-- Carries keys from a slot that is closed to where new keys go, unless they have expired, and returns how many of them
-- are still in the way of emptying it, because another transaction holds them.
CREATE OR REPLACE FUNCTION {key}_carry(source smallint, digests uuid[]) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan = off SET lock_timeout = '500ms'
AS $$
DECLARE
    setting text;
    here smallint;
    guard smallint;
    left_behind bigint;
    needed constant text := '(k.state IN (0, 1)
        OR k.state IN (2, 3) AND greatest(k.purge_at, k.expires_at, k.free_at) > clock_timestamp())';
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;
    LOCK TABLE {key}_rotation IN ACCESS SHARE MODE;
    SELECT r.slot, r.guarded INTO STRICT here, guard FROM {key}_rotation r;
    IF source = here OR source = guard THEN
        RAISE EXCEPTION 'slot % is in use', source;
    END IF;
    -- A record that is kept for people may be that of an earlier life: it does not take the place of a later one. The token
    -- of a released key or a guard says nothing, as it is never locked.
    EXECUTE format($carry$
        WITH gone AS (
            DELETE FROM {key}_%1$s WHERE ctid = ANY (ARRAY(
                SELECT k.ctid FROM {key}_%1$s k WHERE k.digest = ANY ($1) AND %3$s FOR UPDATE SKIP LOCKED))
            RETURNING *)
        INSERT INTO {key}_%2$s AS k SELECT * FROM gone ORDER BY digest
        ON CONFLICT (digest) DO UPDATE
        SET (nonce, token, claimed_at, lease_until, attempt, fingerprint, namespace, scope, key, operation, trace_id,
                retention, state, status, format, settled_at, expires_at, free_at, purge_at, headers, steps, history, body)
            = (excluded.nonce, excluded.token, excluded.claimed_at, excluded.lease_until, excluded.attempt,
                excluded.fingerprint, excluded.namespace, excluded.scope, excluded.key, excluded.operation,
                excluded.trace_id, excluded.retention, excluded.state, excluded.status, excluded.format, excluded.settled_at,
                excluded.expires_at, excluded.free_at, excluded.purge_at, excluded.headers, excluded.steps,
                excluded.history, excluded.body)
        WHERE k.state = 4 OR k.token < excluded.token
        $carry$, source, here, needed) USING digests;
    -- Of a tombstone, what only people look at stays behind.
    EXECUTE format($strip$
        UPDATE {key}_%s k
        SET body = NULL, headers = NULL, steps = NULL, history = NULL, trace_id = NULL
        WHERE k.digest = ANY ($1) AND k.state IN (2, 3) AND coalesce(k.purge_at, k.expires_at) <= clock_timestamp()
            AND (k.body IS NOT NULL OR k.headers IS NOT NULL OR k.steps IS NOT NULL OR k.history IS NOT NULL)
        $strip$, here) USING digests;
    EXECUTE format('SELECT count(*) FROM {key}_%s k WHERE k.digest = ANY ($1) AND %s', source, needed)
    INTO STRICT left_behind USING digests;
    RETURN left_behind;
END
$$;

-- Empties a slot that was closed in this turn, if nothing in it is needed and it was not emptied since. Gives up soon if
-- it is in use, because claims wait meanwhile.
CREATE OR REPLACE FUNCTION {key}_empty(source smallint, turn_closed bigint) RETURNS boolean
    LANGUAGE plpgsql
    SET lock_timeout = '100ms'
AS $$
BEGIN
    PERFORM 1 FROM {key}_slot s
    WHERE s.slot = source AND s.closed = turn_closed AND s.unneeded IS NOT NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    EXECUTE format('TRUNCATE ONLY {key}_%s', source);
    UPDATE {key}_slot s
    SET closed = NULL, look_at = NULL, audited = NULL, looked = NULL, carried = NULL, unneeded = NULL
    WHERE s.slot = source;
    RETURN true;
END
$$;
-- {end generations}
