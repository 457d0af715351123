package dev.semel.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One PostgreSQL for all tests of this module. */
final class TestDatabase {

    private static final EmbeddedPostgres POSTGRES = start();

    private TestDatabase() {}

    static String url() {
        return POSTGRES.getJdbcUrl("postgres", "postgres");
    }

    private static EmbeddedPostgres start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(postgres)));
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start PostgreSQL", e);
        }
    }

    private static void close(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop PostgreSQL", e);
        }
    }
}
