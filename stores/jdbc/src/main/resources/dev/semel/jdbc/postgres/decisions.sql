-- What is decided about a key, once for all functions that decide it: texts that other scripts put in by name. "Of one" means
-- the same text for a single key, with plain parameters in place of arrays.

-- Whether a key is taken. If not, it can be claimed as if it had never been used.
-- {define in use}
(k.state IN (0, 1) OR k.state IN (2, 3) AND coalesce(k.free_at, k.expires_at) > at)
-- {end define}

-- What a claim of a key that is in use finds, by the first line that applies. {key}_claim says what the numbers mean.
-- {define verdict}
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
END
-- {end define}

-- Whether the key still belongs to the attempt that writes. The nonce counts too: a server that loses its last writes in a
-- failover may give a token a second time, and a key that a person has settled keeps its token.
-- {define owned}
k.nonce = nonces[i] AND k.token = tokens[i]
-- {end define}

-- {define settled}
state = states[i],
    status = statuses[i],
    format = formats[i],
    settled_at = at,
    expires_at = at + actives[i] * interval '1 microsecond',
    free_at = at + frees[i] * interval '1 microsecond',
    purge_at = at + purges[i] * interval '1 microsecond',
    headers = header_lines[i],
    body = bodies[i]
-- {end define}

-- {define columns of a new key}
digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
    namespace, scope, key, operation, trace_id, retention, state
-- {end define}
-- {define new key}
u.digest, nonces[i], nextval('{key}_token'), at, at + leases[i] * interval '1 microsecond', 1,
    fingerprints[i], namespaces[i], scopes[i], keys[i], operations[i], traces[i], retentions[i], 0
-- {end define}
-- {define answer for a new key}
digest, 0, token, attempt, steps,
    NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
    state, status, format, headers, body, NULL::text
-- {end define}
-- {define columns of an answer}
digest uuid, verdict integer, token bigint, attempt integer, steps bytea,
asked_at timestamptz, claimed_at timestamptz, lease_until timestamptz,
settled_at timestamptz, expires_at timestamptz, state smallint, status smallint, format smallint,
headers bytea, body bytea, trace_id text
-- {end define}

-- Functions keep their plans, also those that were made while the table was empty, so no plan may be possible that is wrong
-- for a full one. Keys are therefore joined by BETWEEN: to read all of an index because it is in the order of an equality is
-- no choice then, and all else is switched off. They wait for a row for longer than most commits take: a batch that runs into
-- a key that is held for longer is sent again in a way that does not wait, and calls for that key stand aside.
-- {define settings}
SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off
SET lock_timeout = '50ms'
-- {end define}

-- Commits wait for the disk whatever the default is.
-- {define wait for the disk}
IF current_setting('synchronous_commit') = 'off' THEN
    setting := set_config('synchronous_commit', 'on', true);
END IF;
-- {end define}

-- How often to go over keys if not all were found. In generations, a key that is carried from one slot to another while a
-- function waits for it is not where the function saw it.
-- {plain}
-- {define rounds}
1
-- {end define}
-- {end plain}
-- {generations}
-- {define rounds}
2
-- {end define}
-- {end generations}
