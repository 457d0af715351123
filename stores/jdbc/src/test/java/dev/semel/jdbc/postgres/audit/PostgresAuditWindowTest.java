package dev.semel.jdbc.postgres.audit;

/** The audit window on a table whose keys are purged one by one. */
class PostgresAuditWindowTest extends AuditWindow {

    PostgresAuditWindowTest() {
        super(false);
    }
}
