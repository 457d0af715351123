-- Semel, keys in PostgreSQL: version 2 of the schema adds functions for a call that travels alone.

-- Claims one key, like {key}_claim in mode 1, and answers with one row of the same columns. A new key, as most are, needs
-- nothing but an insert, which has no plan that could be wrong for a table that has grown. All else is left to
-- {key}_claim, whose statements see what this one has just run into.
CREATE FUNCTION {key}_claim_one(
    uuid, uuid, bytea, bigint, boolean, text, text, text, text, text, text)
    RETURNS TABLE (
        digest uuid, verdict integer, token bigint, attempt integer, steps bytea,
        asked_at timestamptz, claimed_at timestamptz, lease_until timestamptz,
        settled_at timestamptz, expires_at timestamptz, state smallint, status smallint, format smallint,
        headers bytea, body bytea, trace_id text)
    LANGUAGE plpgsql
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
    INSERT INTO {key} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
        namespace, scope, key, operation, trace_id, retention, state)
    VALUES ($1, $2, nextval('{key}_token'), at, at + $4 * interval '1 microsecond', 1, $3, $6, $7, $8, $9, $10, $11, 0)
    ON CONFLICT DO NOTHING
    RETURNING digest, 0, token, attempt, steps,
        NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
        state, status, format, headers, body, NULL::text;

    IF NOT FOUND THEN
        RETURN QUERY
        SELECT c.*
        FROM {key}_claim(1, ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
            ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10], ARRAY[$11]) c;
    END IF;
END
$$;

-- Settles one key, and says whether it is settled by this attempt: now, or before by the same call.
CREATE FUNCTION {key}_settle_one(
    uuid, bigint, smallint, smallint, smallint, bigint, bigint, bigint, bytea, bytea)
    RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan = off SET jit = off
    SET lock_timeout = '500ms'
AS $$
DECLARE
    setting text;
    at timestamptz := clock_timestamp();
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    UPDATE {key} k
    SET state = $3,
        status = $4,
        format = $5,
        settled_at = at,
        expires_at = at + $6 * interval '1 microsecond',
        free_at = at + $7 * interval '1 microsecond',
        purge_at = at + $8 * interval '1 microsecond',
        headers = $9,
        body = $10
    WHERE k.digest = $1 AND k.token = $2 AND k.state IN (0, 1);

    IF FOUND THEN
        RETURN true;
    END IF;
    RETURN EXISTS (SELECT FROM {key} k WHERE k.digest = $1 AND k.token = $2 AND k.state IN (2, 3));
END
$$;

CREATE OR REPLACE FUNCTION {key}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 2 $$;
