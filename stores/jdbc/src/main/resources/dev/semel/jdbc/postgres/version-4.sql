-- Semel, keys in PostgreSQL: version 4 of the schema carries a key to the next generation unless it was claimed anew there.

-- For a table that keeps its keys in generations; in others nobody calls it.
-- Carries keys from a slot that is closed to where new keys go, unless they have expired, and returns how many of them
-- are still in the way of emptying it, because somebody holds them.
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
    -- of a released key or a guard says nothing, as nobody holds it.
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

CREATE OR REPLACE FUNCTION {key}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 4 $$;
