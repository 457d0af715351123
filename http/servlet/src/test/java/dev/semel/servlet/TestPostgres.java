package dev.semel.servlet;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A pool of connections to the PostgreSQL server that the tests of this module share. */
final class TestPostgres implements AutoCloseable {

    private static final class Shared {

        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                // The embedded server comes with both off.
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void close(EmbeddedPostgres server) {
            try {
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final HikariDataSource dataSource = new HikariDataSource();

    SwitchableStore store() {
        dataSource.setJdbcUrl(Shared.SERVER.getJdbcUrl("postgres", "postgres"));
        return new SwitchableStore(
                JdbcKeyStore.builder(dataSource).createSchema().build());
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
