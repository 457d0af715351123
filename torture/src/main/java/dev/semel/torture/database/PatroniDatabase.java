package dev.semel.torture.database;

import dev.semel.testservers.PatroniCluster;
import dev.semel.testservers.TestPostgres;
import dev.semel.torture.wire.WireProtocol;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Three PostgreSQL servers under Patroni. Clients know all of them, and write to the one that leads. */
public record PatroniDatabase(PatroniCluster servers) implements SqlDatabase {

    public static PatroniDatabase start() throws IOException {
        String missing = PatroniCluster.missing().orElse("");
        if (!missing.isEmpty()) {
            throw new IOException(missing);
        }
        PatroniDatabase database = new PatroniDatabase(PatroniCluster.start());
        TestPostgres.execute(database.direct(), SqlTables.CREATE_EFFECTS);
        return database;
    }

    @Override
    public DataSource direct() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresUrls.directUrl(ports()));
        return source;
    }

    @Override
    public List<Integer> ports() {
        return servers.ports();
    }

    @Override
    public WireProtocol protocol() {
        return WireProtocol.POSTGRES;
    }

    @Override
    public String url(List<Integer> ports) {
        return PostgresUrls.url(ports);
    }

    /** A server that follows is away, or all are. */
    @Override
    public String restart(Random random) throws Exception {
        if (random.nextInt(3) == 0) {
            for (int server = 0; server < PatroniCluster.SERVERS; server++) {
                servers.kill(server);
            }
            heal();
            return "of all servers";
        }
        int leader = servers.leader();
        if (leader < 0) {
            return "";
        }
        servers.kill((leader + 1 + random.nextInt(PatroniCluster.SERVERS - 1)) % PatroniCluster.SERVERS);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        heal();
        return "of a standby";
    }

    @Override
    public List<ProcessHandle> processes() throws IOException {
        return servers.processes();
    }

    @Override
    public void heal() throws IOException {
        for (int server = 0; server < PatroniCluster.SERVERS; server++) {
            if (!servers.isManaged(server)) {
                servers.revive(server);
            }
        }
        servers.awaitHealth();
    }

    @Override
    public void close() {
        servers.close();
    }
}
