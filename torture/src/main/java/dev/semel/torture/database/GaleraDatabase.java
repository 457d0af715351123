package dev.semel.torture.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.GaleraCluster;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Three MariaDB servers in a Galera cluster. Clients write to the first that they reach, so now and then to different ones. */
public final class GaleraDatabase implements SqlDatabase {

    private static final String NAME = "torture";

    private final GaleraCluster servers;
    private final HikariDataSource direct;

    private GaleraDatabase(GaleraCluster servers) {
        this.servers = servers;
        try (HikariDataSource admin = TestPostgres.pool(servers.url(0), "root", 1)) {
            TestPostgres.execute(admin, "CREATE DATABASE " + NAME);
        }
        this.direct = TestPostgres.pool(address(ports()) + "&socketTimeout=60000", "root", 2);
        TestPostgres.execute(direct, SqlTables.CREATE_EFFECTS);
    }

    public static GaleraDatabase start() throws Exception {
        String missing = GaleraCluster.missing().orElse("");
        if (!missing.isEmpty()) {
            throw new IOException(missing);
        }
        return new GaleraDatabase(GaleraCluster.start());
    }

    @Override
    public DataSource direct() {
        return direct;
    }

    @Override
    public List<Integer> ports() {
        return servers.ports();
    }

    @Override
    public String url(List<Integer> ports) {
        return address(ports) + "&socketTimeout=3000";
    }

    /** As docs/stores.md says: each statement sees what was committed before on any server. */
    private static String address(List<Integer> ports) {
        return ports.stream()
                        .map(port -> "127.0.0.1:" + port)
                        .collect(Collectors.joining(",", "jdbc:mariadb:sequential://", "/"))
                + NAME + "?user=root&connectTimeout=2000&galeraAllowedState=4&sessionVariables=wsrep_sync_wait=7";
    }

    /** One server is away, or two, so that there is no majority, or all of them at once. */
    @Override
    public String restart(Random random) throws Exception {
        int count = 1 + random.nextInt(GaleraCluster.SERVERS);
        int first = random.nextInt(GaleraCluster.SERVERS);
        for (int i = 0; i < count; i++) {
            servers.kill((first + i) % GaleraCluster.SERVERS);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        heal();
        return List.of("of one server", "of two servers: no majority", "of all servers")
                .get(count - 1);
    }

    /** From the one that most clients write to. */
    @Override
    public String failOver(Random random) throws Exception {
        boolean killed = random.nextBoolean();
        if (killed) {
            servers.kill(0);
        } else {
            servers.stop(0);
        }
        TimeUnit.MILLISECONDS.sleep(2_000 + random.nextInt(4_000));
        heal();
        return killed ? "from a killed server" : "from a server that is shut down";
    }

    @Override
    public List<ProcessHandle> processes() {
        return servers.processes();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        for (int server = 0; server < GaleraCluster.SERVERS; server++) {
            if (!servers.isAlive(server)) {
                servers.revive(server);
            }
        }
        servers.awaitHealth();
    }

    @Override
    public void close() {
        direct.close();
        servers.close();
    }
}
