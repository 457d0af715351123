-- Semel, keys in PostgreSQL: lets a table keep its keys in generations, which are dropped as a whole.
-- Run it in one transaction, after the schema; the service may run meanwhile. It needs the table for a moment: if it
-- fails because it did not get it in time, nothing has changed, and it can be run again.
-- Claims do not wait behind the first lock. An autovacuum gives way to it, but only after a second, and then cannot begin
-- again.
SET LOCAL lock_timeout = '2s';
LOCK TABLE {key} IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms';

-- Which slot new keys go to. One row, which every claim reads.
CREATE TABLE {key}_rotation (
    one     boolean     PRIMARY KEY DEFAULT true CHECK (one),
    slot    smallint    NOT NULL,  -- where new keys go
    guarded smallint,              -- where they went before, as long as claims are under way that do not know better
    since   timestamptz NOT NULL,  -- when new keys began to go there
    turn    bigint      NOT NULL   -- counts the changes of this row
) WITH (fillfactor = 10, vacuum_truncate = off);
INSERT INTO {key}_rotation (slot, since, turn) VALUES (0, clock_timestamp(), 1);

CREATE TABLE {key}_slot (
    slot    smallint PRIMARY KEY,
    closed  bigint,                -- the turn in which it was closed; null while it is empty or in use
    look_at timestamptz,           -- when to look whether it can be emptied
    audited bigint,                -- how many blocks of it, when it is closed, are in the audit window already
    looked  uuid,                  -- names the last look at all of it
    carried integer,               -- how many pieces of what was found then are carried
    unneeded bigint                -- how many keys go when it is emptied; null as long as it must not be
);
INSERT INTO {key}_slot (slot) VALUES (0), (1), (2), (3);

-- What there was becomes slot 0. All slots are children of a table that holds nothing itself, so that what looks for a
-- key, or writes to it, finds it in any of them.
-- A slot is emptied before a vacuum would pay, and cannot be emptied while it is vacuumed.
ALTER TABLE {key} SET (autovacuum_enabled = false, toast.autovacuum_enabled = false);
ALTER TABLE {key} RENAME TO {name}_0;
ALTER INDEX {key}_pkey RENAME TO {name}_0_pkey;
CREATE TABLE {key}_1 (LIKE {key}_0, CONSTRAINT {name}_1_pkey PRIMARY KEY (digest))
    WITH (fillfactor = 20, autovacuum_enabled = false, toast.autovacuum_enabled = false);
CREATE TABLE {key}_2 (LIKE {key}_0, CONSTRAINT {name}_2_pkey PRIMARY KEY (digest))
    WITH (fillfactor = 20, autovacuum_enabled = false, toast.autovacuum_enabled = false);
CREATE TABLE {key}_3 (LIKE {key}_0, CONSTRAINT {name}_3_pkey PRIMARY KEY (digest))
    WITH (fillfactor = 20, autovacuum_enabled = false, toast.autovacuum_enabled = false);
CREATE TABLE {key} (
    LIKE {key}_0,
    CONSTRAINT {name}_pkey PRIMARY KEY (digest),
    CONSTRAINT {name}_is_in_slots CHECK (false) NO INHERIT
);
ALTER TABLE {key}_0 INHERIT {key};
ALTER TABLE {key}_1 INHERIT {key};
ALTER TABLE {key}_2 INHERIT {key};
ALTER TABLE {key}_3 INHERIT {key};
