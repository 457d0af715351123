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
    free_at     timestamptz,           -- when the key may be claimed again, if later than expires_at
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

-- A history with one more line; of a long one, the middle is left out.
CREATE FUNCTION {key}_noted(history text, at timestamptz, attempt integer, token bigint, event text, note text)
    RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT array_to_string(lines[1:5] || lines[greatest(6, cardinality(lines) - 49):], E'\n') || E'\n'
    FROM (SELECT array_append(string_to_array(rtrim(history, E'\n'), E'\n'),
        concat({key}_iso(at), E'\t', attempt, E'\t', token, E'\t', event, E'\t', note)) AS lines) longer
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

-- What is kept for people of records that have outlived their retention: a partition for each day, which is dropped as a
-- whole. Nothing that attempts call reads or writes it.
CREATE TABLE {key}_audit (
    day         date        NOT NULL,  -- on which the record came here, in UTC
    digest      uuid        NOT NULL,
    token       bigint      NOT NULL,
    claimed_at  timestamptz NOT NULL,
    lease_until timestamptz NOT NULL,
    settled_at  timestamptz,
    expires_at  timestamptz,
    attempt     integer     NOT NULL,
    body_bytes  integer,
    state       smallint    NOT NULL,  -- 2 succeeded, 3 failed
    status      smallint,
    fingerprint bytea       NOT NULL,
    namespace   text,
    scope       text        NOT NULL,
    key         text        NOT NULL,
    operation   text        NOT NULL,
    trace_id    text,
    retention   text,
    history     text,
    CONSTRAINT {name}_audit_pkey PRIMARY KEY (digest, token, day)
) PARTITION BY RANGE (day);

-- What people decided. Only inserted into and read: grant nothing else on it. It names keys and scopes by digests only.
CREATE TABLE {key}_decision (
    id         bigint GENERATED ALWAYS AS IDENTITY,
    decided_at text   NOT NULL,  -- ISO 8601, UTC
    decided_by text   NOT NULL,
    address    text,             -- where the request came from
    action     text   NOT NULL,
    subject    text   NOT NULL,  -- the digest of a key, or sha256: and the digest of a scope
    operation  text,
    token      bigint NOT NULL,
    before_it  text   NOT NULL,
    after_it   text   NOT NULL,
    reason     text   NOT NULL,
    CONSTRAINT {name}_decision_pkey PRIMARY KEY (id)
);
CREATE INDEX {name}_decision_subject ON {key}_decision (subject);
