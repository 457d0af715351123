package dev.semel.torture.fault;

import dev.semel.testservers.PatroniCluster;
import dev.semel.torture.database.PatroniDatabase;
import dev.semel.torture.server.Node;
import dev.semel.torture.wire.DatabaseWire;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** How the lead passes from one server to another under Patroni. */
public record PatroniFaults(PatroniDatabase database, List<Node> nodes) implements InjectedFault {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final int POLL_MILLIS = 100;

    @Override
    public String inject(Random random) throws Exception {
        PatroniCluster servers = database.servers();
        int leader = servers.leader();
        if (leader < 0) {
            return "";
        }
        return switch (random.nextInt(3)) {
            case 0 -> switchOver(leader);
            case 1 -> kill(leader, random);
            default -> killManager(leader, random);
        };
    }

    private String switchOver(int leader) {
        boolean agreed = database.servers().switchOver(leader);
        database.servers().awaitHealth();
        return agreed ? "by a switchover" : "";
    }

    private String kill(int leader, Random random) throws Exception {
        database.servers().kill(leader);
        boolean passed = awaitOther(leader, 5_000 + random.nextInt(PATIENCE_MILLIS));
        database.heal();
        return passed ? "from a killed primary" : "back to a killed primary";
    }

    /** The server goes on as a primary when another one leads already, as no watchdog stops it. */
    private String killManager(int leader, Random random) throws Exception {
        wires().forEach(DatabaseWire::deposed);
        database.servers().killManager(leader);
        boolean passed = awaitOther(leader, PATIENCE_MILLIS);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        database.servers().kill(leader);
        wires().forEach(DatabaseWire::reinstated);
        database.heal();
        return passed ? "from a primary whose manager was killed" : "back to a primary whose manager was killed";
    }

    private List<DatabaseWire> wires() {
        return nodes.stream().map(node -> Objects.requireNonNull(node.wire())).toList();
    }

    private boolean awaitOther(int leader, int millis) throws InterruptedException {
        for (int waited = 0; waited < millis; waited += POLL_MILLIS) {
            int now = database.servers().leader();
            if (now >= 0 && now != leader) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return false;
    }
}
