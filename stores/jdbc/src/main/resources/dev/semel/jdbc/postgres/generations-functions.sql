-- What attempts call, for keys in generations. It takes the place of the functions of the same names that are made for
-- one table, and answers the same.

-- A key is live in one slot at most. Claims that put a new key into the same slot meet at the primary key of the slot.
-- At a rotation, some claims put it into the slot before and some into the next one. So from the moment of the rotation
-- to when the last claim has ended that knows nothing of it, claims put a guard into the slot before, which is a row
-- like that of a released key, and only then the key into the next one. Nobody waits for a rotation.
CREATE OR REPLACE FUNCTION {key}_claim(
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
    SET lock_timeout = '500ms'
AS $$
#variable_conflict use_column
DECLARE
    setting text;
    at timestamptz;
    here smallint;
    guard smallint;
    own_keys bigint := 0;
    seen_keys bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    -- The lock comes before the look, and stays until the end of the transaction: a rotation sees by it who may not know
    -- of it yet. A transaction with a snapshot for all of its statements fails here if there was a rotation since.
    LOCK TABLE {key}_rotation IN ACCESS SHARE MODE;
    IF current_setting('transaction_isolation') = 'read committed' THEN
        SELECT r.slot, r.guarded INTO STRICT here, guard FROM {key}_rotation r;
    ELSE
        SELECT r.slot, r.guarded INTO STRICT here, guard FROM {key}_rotation r FOR SHARE;
    END IF;
    at := clock_timestamp();

    -- Most keys are new. Those that are not are left alone by this: a replay costs no write.
    IF mode = 0 AND guard IS NULL THEN
        -- ON CONFLICT would cost every row a second look at the index and another record in the log.
        CASE here
-- {each slot}
        WHEN {slot} THEN
            RETURN QUERY
            INSERT INTO {key}_{slot} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
                namespace, scope, key, operation, trace_id, retention, state)
            SELECT u.digest, nonces[i], nextval('{key}_token'), at, at + leases[i] * interval '1 microsecond', 1,
                fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], traces[i], retentions[i], 0
            FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
            WHERE (SELECT k.digest FROM {key} k WHERE k.digest = u.digest LIMIT 1) IS NULL
            RETURNING digest, 0, token, attempt, steps,
                NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
                state, status, format, headers, body, NULL::text;
-- {end}
        END CASE;
        GET DIAGNOSTICS own_keys = ROW_COUNT;
    ELSIF mode = 1 AND guard IS NULL THEN
        CASE here
-- {each slot}
        WHEN {slot} THEN
            RETURN QUERY
            INSERT INTO {key}_{slot} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
                namespace, scope, key, operation, trace_id, retention, state)
            SELECT u.digest, nonces[i], nextval('{key}_token'), at, at + leases[i] * interval '1 microsecond', 1,
                fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], traces[i], retentions[i], 0
            FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
            WHERE (SELECT k.digest FROM {key} k WHERE k.digest = u.digest LIMIT 1) IS NULL
            ON CONFLICT DO NOTHING
            RETURNING digest, 0, token, attempt, steps,
                NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
                state, status, format, headers, body, NULL::text;
-- {end}
        END CASE;
        GET DIAGNOSTICS own_keys = ROW_COUNT;
    END IF;
    IF own_keys = cardinality(digests) THEN
        RETURN;
    END IF;

    -- Keys that are live, wherever they are.
    RETURN QUERY
    WITH seen AS MATERIALIZED (
        SELECT i, k.tableoid AS place, k.*,
            CASE
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
        WHERE (k.nonce <> nonces[i] OR k.claimed_at <> at)
            AND (k.state IN (0, 1) OR k.state IN (2, 3) AND coalesce(k.free_at, k.expires_at) > at)
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

    -- What is left is free: an expired or released row in any slot, or none at all. Whoever changes a free row changes
    -- its nonce, so that the next one who wanted it notices.
    IF guard IS NOT NULL THEN
        CASE guard
-- {each slot}
        WHEN {slot} THEN
            WITH free AS MATERIALIZED (
                SELECT i, u.digest, g.nonce, g.state, g.lease_until
                FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
                LEFT JOIN {key}_{slot} g ON g.digest BETWEEN u.digest AND u.digest
                WHERE (
                    SELECT k.digest FROM {key} k
                    WHERE k.digest = u.digest
                        AND (k.state IN (0, 1) OR k.state IN (2, 3) AND coalesce(k.free_at, k.expires_at) > at)
                    LIMIT 1) IS NULL
            ), locked AS MATERIALIZED (
                SELECT f.i
                FROM free f
                JOIN {key}_{slot} g ON g.digest BETWEEN f.digest AND f.digest
                WHERE g.nonce = f.nonce AND g.state = f.state AND g.lease_until = f.lease_until
                FOR UPDATE OF g
            ), guarded AS (
                UPDATE {key}_{slot} g
                SET nonce = nonces[l.i], claimed_at = at, lease_until = at, state = 4,
                    status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL,
                    purge_at = at + interval '10 minutes', headers = NULL, body = NULL, steps = NULL,
                    history = CASE g.state WHEN 4 THEN g.history END
                FROM locked l
                WHERE g.digest BETWEEN digests[l.i] AND digests[l.i]
            )
            INSERT INTO {key}_{slot} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
                namespace, scope, key, operation, state, purge_at)
            SELECT f.digest, nonces[i], nextval('{key}_token'), at, at, 0,
                fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], 4, at + interval '10 minutes'
            FROM free f
            WHERE f.nonce IS NULL
            ON CONFLICT DO NOTHING;
-- {end}
        END CASE;
    END IF;

    CASE here
-- {each slot}
    WHEN {slot} THEN
        RETURN QUERY
        WITH free AS MATERIALIZED (
            SELECT i, u.digest, h.nonce, h.state, h.lease_until
            FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
            LEFT JOIN {key}_{slot} h ON h.digest BETWEEN u.digest AND u.digest
            WHERE (
                SELECT k.digest FROM {key} k
                WHERE k.digest = u.digest
                    AND (k.state IN (0, 1) OR k.state IN (2, 3) AND coalesce(k.free_at, k.expires_at) > at)
                LIMIT 1) IS NULL
                AND (guard IS NULL OR (
                    SELECT k.digest FROM {key} k
                    WHERE k.digest = u.digest AND k.nonce = nonces[i] AND k.claimed_at = at AND k.state = 4
                    LIMIT 1) IS NOT NULL)
        ), locked AS MATERIALIZED (
            SELECT f.i
            FROM free f
            JOIN {key}_{slot} h ON h.digest BETWEEN f.digest AND f.digest
            WHERE h.nonce = f.nonce AND h.state = f.state AND h.lease_until = f.lease_until
            FOR UPDATE OF h
        ), reused AS (
            UPDATE {key}_{slot} h
            SET nonce = nonces[l.i], token = nextval('{key}_token'), claimed_at = at,
                lease_until = at + leases[l.i] * interval '1 microsecond', attempt = 1,
                fingerprint = fingerprints[l.i], operation = operations[l.i], trace_id = traces[l.i],
                retention = retentions[l.i], state = 0,
                status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL, purge_at = NULL,
                headers = NULL, body = NULL, steps = NULL,
                history = CASE h.state WHEN 4 THEN h.history END
            FROM locked l
            WHERE h.digest BETWEEN digests[l.i] AND digests[l.i]
            RETURNING h.digest, h.token
        ), inserted AS (
            INSERT INTO {key}_{slot} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
                namespace, scope, key, operation, trace_id, retention, state, history)
            SELECT f.digest, nonces[i], nextval('{key}_token'), at, at + leases[i] * interval '1 microsecond', 1,
                fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], traces[i], retentions[i], 0,
                (SELECT CASE k.state WHEN 4 THEN k.history END FROM {key} k
                 WHERE k.digest = f.digest AND k.attempt > 0 ORDER BY k.token DESC LIMIT 1)
            FROM free f
            WHERE f.nonce IS NULL
            ON CONFLICT DO NOTHING
            RETURNING digest, token
        )
        SELECT w.digest, 0, w.token, 1, NULL::bytea,
            NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
            0::smallint, NULL::smallint, NULL::smallint, NULL::bytea, NULL::bytea, NULL::text
        FROM (SELECT r.digest, r.token FROM reused r UNION ALL SELECT n.digest, n.token FROM inserted n) w;
-- {end}
    END CASE;
END
$$;

-- The functions below go over the keys once more if not all were found: a key that is carried from one slot to another
-- while they wait for it is not where they saw it.

CREATE OR REPLACE FUNCTION {key}_settle(
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
    settled_keys bigint := 0;
    these bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    FOR round IN 1..2 LOOP
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
    WHERE k.token = tokens[i] AND k.state IN (2, 3)
        AND (SELECT n.digest FROM {key} n WHERE n.digest = k.digest AND n.token > k.token LIMIT 1) IS NULL;
END
$$;

CREATE OR REPLACE FUNCTION {key}_renew(digests uuid[], tokens bigint[], leases bigint[])
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
    these bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    FOR round IN 1..2 LOOP
        RETURN QUERY
        UPDATE {key} k
        SET lease_until = clock_timestamp() + leases[i] * interval '1 microsecond'
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE k.digest BETWEEN u.digest AND u.digest AND k.token = tokens[i] AND k.state = 0
        RETURNING k.digest;

        GET DIAGNOSTICS these = ROW_COUNT;
        EXIT WHEN these >= cardinality(digests);
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION {key}_mark(digests uuid[], tokens bigint[], states smallint[])
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
    these bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    FOR round IN 1..2 LOOP
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

        GET DIAGNOSTICS these = ROW_COUNT;
        EXIT WHEN these >= cardinality(digests);
    END LOOP;
END
$$;

-- A result that is added in both rounds counts once.
CREATE OR REPLACE FUNCTION {key}_step(digests uuid[], tokens bigint[], results bytea[])
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
    these bigint;
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;

    FOR round IN 1..2 LOOP
        RETURN QUERY
        UPDATE {key} k
        SET steps = coalesce(k.steps, '') || results[i]
        FROM unnest(digests) WITH ORDINALITY AS u(digest, i)
        WHERE k.digest BETWEEN u.digest AND u.digest AND k.token = tokens[i] AND k.state = 0
        RETURNING k.digest;

        GET DIAGNOSTICS these = ROW_COUNT;
        EXIT WHEN these >= cardinality(digests);
    END LOOP;
END
$$;

-- Empties a slot that was closed in this turn, if it was not emptied since. Gives up soon if somebody is in it, because
-- claims wait meanwhile.
CREATE OR REPLACE FUNCTION {key}_empty(source smallint, turn_closed bigint) RETURNS boolean
    LANGUAGE plpgsql
    SET lock_timeout = '100ms'
AS $$
BEGIN
    PERFORM 1 FROM {key}_slot s WHERE s.slot = source AND s.closed = turn_closed FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    EXECUTE format('TRUNCATE ONLY {key}_%s', source);
    UPDATE {key}_slot s SET closed = NULL, look_at = NULL, audited = NULL WHERE s.slot = source;
    RETURN true;
END
$$;

-- Takes over the record of another store, unless the key is known here: it is claimed, and becomes what the record says.
CREATE OR REPLACE FUNCTION {key}_import(
    new_digest uuid, new_nonce uuid, new_token bigint, claimed_micros bigint, lease_micros bigint, new_attempt integer,
    new_fingerprint bytea, new_namespace text, new_scope text, new_key text, new_operation text, new_trace text,
    new_retention text, new_state smallint, new_status smallint, new_format smallint, settled_micros bigint,
    expires_micros bigint, free_micros bigint, purge_micros bigint, new_headers bytea, new_steps bytea, new_history text, new_body bytea)
    RETURNS boolean
    LANGUAGE plpgsql
AS $$
DECLARE
    at timestamptz := clock_timestamp();
    own bigint;
BEGIN
    IF new_token <= (SELECT max(k.token) FROM {key} k WHERE k.digest = new_digest AND k.attempt > 0) THEN
        RETURN false;
    END IF;
    SELECT c.token INTO own
    FROM {key}_claim_joined(new_digest, new_nonce, new_fingerprint, 60000000, false,
        new_namespace, new_scope, new_key, new_operation, new_trace, new_retention) c
    WHERE c.verdict = 0;
    IF own IS NULL THEN
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

-- A call that travels alone has no shorter way here.
CREATE OR REPLACE FUNCTION {key}_claim_one(
    uuid, uuid, bytea, bigint, boolean, text, text, text, text, text, text)
    RETURNS TABLE (
        digest uuid, verdict integer, token bigint, attempt integer, steps bytea,
        asked_at timestamptz, claimed_at timestamptz, lease_until timestamptz,
        settled_at timestamptz, expires_at timestamptz, state smallint, status smallint, format smallint,
        headers bytea, body bytea, trace_id text)
    LANGUAGE sql
AS $$
    SELECT * FROM {key}_claim(1, ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
        ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10], ARRAY[$11])
$$;

CREATE OR REPLACE FUNCTION {key}_settle_one(
    uuid, bigint, smallint, smallint, smallint, bigint, bigint, bigint, bytea, bytea)
    RETURNS boolean
    LANGUAGE sql
AS $$
    SELECT EXISTS (SELECT FROM {key}_settle(ARRAY[$1], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
        ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[$9], ARRAY[$10]))
$$;
