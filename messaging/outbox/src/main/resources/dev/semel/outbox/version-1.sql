-- Semel, outbox in PostgreSQL 13 or newer: version 1 of the schema.
-- Needs no extension and no superuser. Run it in one transaction.

CREATE SEQUENCE {outbox}_id;

-- Messages, a partition for each day. A relay takes what is not done, whatever its number is: a transaction that commits
-- late is not overlooked. There is no primary key, which would have to contain the time.
CREATE TABLE {outbox} (
    id           bigint      NOT NULL DEFAULT nextval('{outbox}_id'),  -- the order within an aggregate
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    destination  text        NOT NULL,
    aggregate    text,                                                -- null: in no order
    key          text        NOT NULL,                                -- the idempotency key of every delivery
    content_type text,
    headers      text[]      NOT NULL,                                -- name, value, name, value ...
    payload      bytea       NOT NULL,
    attempts     integer     NOT NULL DEFAULT 0,
    due_at       timestamptz NOT NULL DEFAULT '-infinity',              -- infinity: behind one that failed
    error        text,                                                -- why the last attempt failed
    done_at      timestamptz                                          -- when it was delivered, or given up
) PARTITION BY RANGE (created_at);

-- What is parked stands apart from what is not, so that relays that look for the first ones do not come across it.
CREATE INDEX {name}_waiting ON {outbox} (destination, ((due_at = 'infinity')::int), id) WHERE done_at IS NULL;
CREATE INDEX {name}_aggregate ON {outbox} (destination, aggregate, id) WHERE done_at IS NULL AND aggregate IS NOT NULL;

-- So that no business transaction fails because a partition is missing.
CREATE TABLE {outbox}_default PARTITION OF {outbox} DEFAULT WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Messages that were given up, until they are revived or discarded.
CREATE TABLE {outbox}_dead (
    id           bigint      NOT NULL PRIMARY KEY,
    created_at   timestamptz NOT NULL,
    died_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    destination  text        NOT NULL,
    aggregate    text,
    key          text        NOT NULL,
    content_type text,
    headers      text[]      NOT NULL,
    payload      bytea       NOT NULL,
    attempts     integer     NOT NULL,
    error        text
);

-- Until when the relays of a destination look for messages by themselves. A notification takes a lock that all committing
-- transactions share, so that one is sent only while no relay is awake.
CREATE TABLE {outbox}_relay (
    destination text        NOT NULL PRIMARY KEY,
    awake_until timestamptz NOT NULL
);

CREATE FUNCTION {outbox}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 1 $$;
