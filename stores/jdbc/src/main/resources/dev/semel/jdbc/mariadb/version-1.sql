-- Semel, keys in MariaDB 10.6 or newer: version 1 of the schema.
-- Each statement can be repeated. Times are microseconds since 1970, UTC.

-- Fencing tokens. They grow over all sessions of one server. A Galera cluster refuses a sequence with a cache, which each of
-- its servers would have for itself; there, tokens of one key grow because its row, or what is left of it, has the last one.
SET @semel_cache = (SELECT IF(max(global_value) = 'ON', ' NOCACHE', '') FROM information_schema.system_variables
    WHERE variable_name = 'WSREP_ON');
EXECUTE IMMEDIATE CONCAT('CREATE SEQUENCE IF NOT EXISTS {key}_token', @semel_cache, ' ENGINE = InnoDB');

-- Rows lie in the order in which their keys were first claimed: a new one goes to the end, and the purge finds what is
-- over side by side. An index on times or states would cost every claim and settle.
CREATE TABLE IF NOT EXISTS {key} (
    id          bigint       NOT NULL AUTO_INCREMENT,
    digest      binary(16)   NOT NULL,  -- names the key: hash of namespace, scope and key
    nonce       binary(16)   NOT NULL,  -- names the attempt: a claim that is sent again finds itself
    token       bigint       NOT NULL,  -- the fencing token of the attempt; every write of an attempt is conditional on it
    claimed_at  bigint       NOT NULL,
    lease_until bigint       NOT NULL,
    attempt     int          NOT NULL,
    fingerprint binary(41)   NOT NULL,  -- four bytes of the operation, one of version, four of rules, then SHA-256
    namespace   varchar(100) NOT NULL,
    scope       varchar(255) NOT NULL,
    `key`       varchar(255) NOT NULL,
    operation   text         NOT NULL,
    trace_id    text,
    retention   varchar(100),           -- active/audit/tombstone, for when it is settled; null for PT24H
    state       tinyint      NOT NULL,  -- 0 pending, 1 unknown, 2 succeeded, 3 failed, 4 released
    status      smallint,
    format      smallint,
    settled_at  bigint,
    expires_at  bigint,                 -- until then the outcome is replayed
    free_at     bigint,                 -- when the key may be claimed again
    purge_at    bigint,                 -- when the row may go
    headers     mediumblob,
    steps       longblob,
    history     mediumtext,
    body        longblob,
    PRIMARY KEY (id),
    UNIQUE KEY {name}_digest (digest)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- What people decided. Only inserted into and read: grant nothing else on it. It names keys and scopes by digests only.
CREATE TABLE IF NOT EXISTS {key}_decision (
    id         bigint       NOT NULL AUTO_INCREMENT,
    decided_at varchar(40)  NOT NULL,  -- ISO 8601, UTC
    decided_by text         NOT NULL,
    address    varchar(100),           -- where the request came from
    action     varchar(100) NOT NULL,
    subject    varchar(100) NOT NULL,  -- the digest of a key, or sha256: and the digest of a scope
    operation  text,
    token      bigint       NOT NULL,
    before_it  text         NOT NULL,
    after_it   text         NOT NULL,
    reason     text         NOT NULL,
    PRIMARY KEY (id),
    KEY {name}_decision_subject (subject)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS {key}_version (version int NOT NULL PRIMARY KEY) ENGINE = InnoDB;
INSERT IGNORE INTO {key}_version VALUES (1);
