package dev.semel.servlet;

import org.junit.jupiter.api.AfterAll;

class TomcatPostgresTest extends ServletConformance {

    private final TestPostgres postgres = new TestPostgres();

    @Override
    TestServer start() throws Exception {
        return new TomcatServer(ErrorRendering.CONTAINER, true, postgres.store());
    }

    @AfterAll
    void closePool() {
        postgres.close();
    }
}
