package dev.semel.torture.database;

import dev.semel.etcd.EtcdKeyStore;
import dev.semel.testservers.EtcdCluster;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Three servers of etcd. */
public record EtcdDatabase(EtcdCluster servers) implements Database {

    public static EtcdDatabase start() throws IOException {
        if (!EtcdCluster.isInstalled()) {
            throw new IOException(EtcdCluster.MISSING);
        }
        return new EtcdDatabase(EtcdCluster.start());
    }

    @Override
    public List<Integer> ports() {
        return servers.ports();
    }

    @Override
    public String url(List<Integer> ports) {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "etcd://", "/semel"));
    }

    @Override
    public void inspect(Look look) throws Exception {
        try (EtcdKeyStore keys = EtcdKeyStore.connect(url(ports()))) {
            look.at(keys);
        }
    }

    /** One server is away, or two, so that there is no majority, or all of them at once; or one is replaced by a new one. */
    @Override
    public String restart(Random random) throws Exception {
        int size = servers.ports().size();
        int count = random.nextInt(size + 1);
        int first = random.nextInt(size);
        if (count == 0) {
            servers.replace(first);
            servers.awaitHealth();
            return "of one server, replaced without its data";
        }
        for (int i = 0; i < count; i++) {
            servers.kill((first + i) % size);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        heal();
        return List.of("of one server", "of two servers: no majority", "of all servers")
                .get(count - 1);
    }

    @Override
    public String failOver(Random random) throws Exception {
        int leader = servers.leader();
        if (leader < 0) {
            return "";
        }
        servers.kill(leader);
        TimeUnit.MILLISECONDS.sleep(2_000 + random.nextInt(3_000));
        heal();
        return "from a killed leader";
    }

    @Override
    public List<ProcessHandle> processes() {
        return servers.processes();
    }

    @Override
    public void heal() throws IOException {
        for (int i = 0; i < servers.ports().size(); i++) {
            if (!servers.isAlive(i)) {
                servers.revive(i);
            }
        }
        servers.awaitHealth();
    }

    @Override
    public void close() {
        servers.close();
    }
}
