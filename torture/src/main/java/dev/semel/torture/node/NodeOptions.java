package dev.semel.torture.node;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a node gets when it is started, as arguments in this order.
 *
 * @param name the node's name, and that of its incarnation when it is started, for example {@code n2.7}
 * @param url where the database is, as this node sees it
 * @param redisPort where Redis is; 0 if the system under test needs none
 * @param ledgerPort where effects are noted
 * @param system the name of the system under test
 * @param fingerprintVersion the version of the algorithm that this release of the service uses
 * @param generations whether the table keeps generations
 * @param guarded whether claims are refused when the database was restored from an older copy
 * @param door the name of the way in
 * @param broker where the broker is, if that is the way in
 * @param bug the name of a planted bug, or {@code none}
 */
public record NodeOptions(
        String name,
        String url,
        int redisPort,
        int ledgerPort,
        String system,
        int fingerprintVersion,
        Duration lease,
        boolean generations,
        boolean guarded,
        String door,
        String broker,
        String bug) {

    static NodeOptions parse(String[] arguments) {
        return new NodeOptions(
                arguments[0],
                arguments[1],
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                arguments[4],
                Integer.parseInt(arguments[5]),
                Duration.parse(arguments[6]),
                Boolean.parseBoolean(arguments[7]),
                Boolean.parseBoolean(arguments[8]),
                arguments[9],
                arguments[10],
                arguments[11]);
    }

    /** The same for an incarnation of the node, with its own name and version of the fingerprint. */
    public NodeOptions incarnation(int number, int version) {
        return new NodeOptions(
                name + "." + number,
                url,
                redisPort,
                ledgerPort,
                system,
                version,
                lease,
                generations,
                guarded,
                door,
                broker,
                bug);
    }

    /** What {@link NodeMain} is started with. */
    public List<String> arguments() {
        return Stream.<Object>of(
                        name,
                        url,
                        redisPort,
                        ledgerPort,
                        system,
                        fingerprintVersion,
                        lease,
                        generations,
                        guarded,
                        door,
                        broker,
                        bug)
                .map(String::valueOf)
                .toList();
    }

    /** The name without the incarnation. */
    String node() {
        return name.substring(0, name.indexOf('.'));
    }
}
