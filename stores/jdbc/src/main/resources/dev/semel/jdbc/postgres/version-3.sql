-- Semel, keys in PostgreSQL: version 3 of the schema adds the audit window and notes of erasures.

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

-- That records of a scope were erased, by whom, and how many; nothing of what they were.
CREATE TABLE {key}_erasure (
    erased_at    timestamptz NOT NULL,
    scope_sha256 text        NOT NULL,
    removed      bigint      NOT NULL,
    left_behind  bigint,               -- keys that were not settled; null if the erasure broke off
    erased_by    text        NOT NULL
);

-- A table that keeps its keys in generations notes how many blocks of a closed slot are in the audit window already.
ALTER TABLE IF EXISTS {key}_slot ADD COLUMN audited bigint;

CREATE OR REPLACE FUNCTION {key}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 3 $$;
