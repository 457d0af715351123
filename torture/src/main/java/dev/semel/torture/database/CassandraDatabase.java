package dev.semel.torture.database;

import dev.semel.cassandra.CassandraKeyStore;
import dev.semel.testservers.cassandra.CassandraCluster;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Three servers of Cassandra that write to the disk before they answer. */
public final class CassandraDatabase implements Database {

    private static final int SERVERS = 3;

    private final CassandraCluster servers;

    private CassandraDatabase(CassandraCluster servers) {
        this.servers = servers;
    }

    public static CassandraDatabase start() throws IOException {
        if (!CassandraCluster.isPossible()) {
            throw new IOException("there is no Java 17, which Cassandra needs");
        }
        CassandraDatabase database = new CassandraDatabase(CassandraCluster.start("512m"));
        // Before the nodes, which would all want to create the table at the same time.
        CassandraKeyStore.connect(database.url(List.of())).close();
        return database;
    }

    @Override
    public List<Integer> ports() {
        return List.of();
    }

    @Override
    public String url(List<Integer> ports) {
        return servers.storeUrl("semel");
    }

    @Override
    public void inspect(Look look) throws Exception {
        try (CassandraKeyStore keys = CassandraKeyStore.connect(url(List.of()))) {
            look.at(keys);
        }
    }

    /** One server is away, or two, so that there is no majority. */
    @Override
    public String restart(Random random) throws Exception {
        int count = 1 + random.nextInt(2);
        int first = random.nextInt(SERVERS);
        for (int i = 0; i < count; i++) {
            servers.kill((first + i) % SERVERS);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        heal();
        return List.of("of one server", "of two servers: no majority").get(count - 1);
    }

    @Override
    public List<ProcessHandle> processes() {
        return servers.processes();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        for (int i = 0; i < SERVERS; i++) {
            if (!servers.isAlive(i)) {
                servers.restart(i);
            }
        }
    }

    @Override
    public void close() {
        servers.close();
    }
}
