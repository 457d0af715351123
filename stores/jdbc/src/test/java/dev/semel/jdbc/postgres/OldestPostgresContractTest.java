package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The oldest PostgreSQL that is supported. */
class OldestPostgresContractTest extends ShiftedClockContract {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void connect() throws IOException {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeTrue(platform.equals("Linux amd64"), "the old server is there for Linux on amd64, not for " + platform);
        Path binaries = Path.of("target", "oldest-postgres", "binaries.jar").toAbsolutePath();
        assertThat(binaries)
                .as("binaries of the oldest server, fetched by the build")
                .isRegularFile();
        server = TestPostgres.durable(EmbeddedPostgres.builder())
                .setPgBinaryResolver((system, architecture) -> open(binaries))
                .start();
        String url = server.getJdbcUrl("postgres", "postgres");
        try (HikariDataSource admin = TestPostgres.pool(url, "postgres", 1)) {
            TestDatabase.prepare(admin, "postgres", Duration.ofHours(3));
        }
        connect(TestPostgres.pool(url, "postgres", 8));
    }

    private static InputStream open(Path binaries) throws IOException {
        assertThat(Files.exists(binaries)).isTrue();
        URL resource = URI.create("jar:" + binaries.toUri() + "!/postgres-linux-x86_64.txz")
                .toURL();
        return resource.openStream();
    }

    @AfterAll
    static void stop() throws IOException {
        disconnect();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void isReallyOld() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection()) {
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(13);
        }
    }
}
