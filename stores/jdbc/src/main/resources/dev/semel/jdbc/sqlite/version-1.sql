-- Semel, keys in SQLite 3.42 or newer: version 1 of the schema.
-- The database must be in WAL mode: PRAGMA journal_mode = WAL;
-- Times are microseconds since 1970, UTC.

CREATE TABLE IF NOT EXISTS {key}_version (version INTEGER NOT NULL) STRICT;
INSERT INTO {key}_version VALUES (1);

-- The largest fencing token that was ever given out.
CREATE TABLE {key}_token (last INTEGER NOT NULL) STRICT;
INSERT INTO {key}_token VALUES (0);

CREATE TABLE {key} (
    id          INTEGER PRIMARY KEY,
    digest      BLOB    NOT NULL UNIQUE,  -- names the key: hash of namespace, scope and key
    nonce       BLOB    NOT NULL,         -- names the attempt; every write of an attempt is conditional on it
    token       INTEGER NOT NULL,         -- the fencing token of the attempt
    claimed_at  INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    fingerprint BLOB    NOT NULL,         -- four bytes of the operation, one of version, four of rules, then SHA-256
    namespace   TEXT    NOT NULL,
    scope       TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    operation   TEXT    NOT NULL,
    trace_id    TEXT,
    retention   TEXT,                     -- active/audit/tombstone, for when it is settled; null for PT24H
    state       INTEGER NOT NULL,         -- 0 pending, 1 unknown, 2 succeeded, 3 failed
    status      INTEGER,
    format      INTEGER,
    settled_at  INTEGER,
    expires_at  INTEGER,                  -- until then the outcome is replayed
    free_at     INTEGER,                  -- when the key may be claimed again
    purge_at    INTEGER,                  -- when the row may go
    headers     BLOB,
    steps       BLOB,
    history     TEXT,
    body        BLOB
) STRICT;

-- Few rows are in it at a time, and it finds what is stuck without a look at all the others.
CREATE INDEX {key}_unsettled ON {key} (claimed_at) WHERE state < 2;

-- What people decided. Only inserted into and read. It names keys and scopes by digests only.
CREATE TABLE {key}_decision (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    decided_at TEXT    NOT NULL,  -- ISO 8601, UTC
    decided_by TEXT    NOT NULL,
    address    TEXT,              -- where the request came from
    action     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,  -- the digest of a key, or sha256: and the digest of a scope
    operation  TEXT,
    token      INTEGER NOT NULL,
    before_it  TEXT    NOT NULL,
    after_it   TEXT    NOT NULL,
    reason     TEXT    NOT NULL
) STRICT;

CREATE INDEX {key}_decision_subject ON {key}_decision (subject);
