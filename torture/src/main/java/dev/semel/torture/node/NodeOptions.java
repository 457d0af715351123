package dev.semel.torture.node;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What a node is told when it is started, as {@code name=value} arguments.
 *
 * @param name the node's name, and that of its incarnation when it is started, for example {@code n2.7}
 * @param url where the database is, as this node sees it
 * @param redisPort where Redis is; 0 if the system under test needs none
 * @param ledgerPort where effects are noted
 * @param system the name of the system under test
 * @param fingerprintVersion the version of the algorithm that this release of the service uses
 * @param generations whether the table keeps generations
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
        String bug) {

    static NodeOptions parse(String[] arguments) {
        Map<String, String> values = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("argument " + argument + " is not of the form name=value");
            }
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new NodeOptions(
                require(values, "name"),
                require(values, "url"),
                Integer.parseInt(require(values, "redis")),
                Integer.parseInt(require(values, "ledger")),
                require(values, "system"),
                Integer.parseInt(require(values, "fingerprint")),
                Duration.ofMillis(Long.parseLong(require(values, "lease"))),
                Boolean.parseBoolean(require(values, "generations")),
                require(values, "bug"));
    }

    /** The same for an incarnation of the node, with its own name and version of the fingerprint. */
    public NodeOptions incarnation(int number, int version) {
        return new NodeOptions(
                name + "." + number, url, redisPort, ledgerPort, system, version, lease, generations, bug);
    }

    /** What {@link NodeMain} is started with. */
    public String[] arguments() {
        return new String[] {
            "name=" + name,
            "url=" + url,
            "redis=" + redisPort,
            "ledger=" + ledgerPort,
            "system=" + system,
            "fingerprint=" + fingerprintVersion,
            "lease=" + lease.toMillis(),
            "generations=" + generations,
            "bug=" + bug
        };
    }

    /** The name without the incarnation. */
    String node() {
        return name.substring(0, name.indexOf('.'));
    }

    private static String require(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("argument " + name + "=... is missing");
        }
        return value;
    }
}
