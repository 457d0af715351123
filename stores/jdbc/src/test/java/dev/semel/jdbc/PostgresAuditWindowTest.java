package dev.semel.jdbc;

/** The audit window on a table whose keys are purged one by one. */
class PostgresAuditWindowTest extends AuditWindow {

    PostgresAuditWindowTest() {
        super(false);
    }
}
