package dev.semel.torture.door;

import dev.semel.policy.Retention;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration of a gateway, with the policies that the other doors have. The second release of it has a longer lease, another
 * retention and other fields of the fingerprint.
 */
public final class GatewayConfigFile {

    /** May do everything with the gateway's console. */
    public static final String ADMIN_TOKEN = "only-for-the-torture-of-gateways";

    private static final String TEXT = """
            upstream: http://127.0.0.1:%d
            admin: 127.0.0.1:%d
            admin-token: %s
            store: "%s"
            scope: header:Scope
            lease: %dms
            timeout: %dms
            drain: 2s
            caller-rate: 0
            caller-in-flight: 0
            caller-unknown: 0
            publish-expiry: true
            not-executed-statuses: [%d]
            retention: %dms
            %s
            routes:
              - path: /hold
                operation: hold
              - path: /redo
                operation: redo
                recovery: re-execute
              - path: /brief
                operation: brief
                retention: %dms
                audit: 1d
              - path: /tomb
                operation: tomb
                retention: %dms
                tombstone: %dms
            """;

    private GatewayConfigFile() {}

    /** @param release 1 or 2 */
    public static Path write(Path file, int release, int upstreamPort, int adminPort, String store, Duration lease)
            throws IOException {
        // As in the other doors, three halves of the lease.
        long millis = lease.toMillis() * (release + 1) / 2;
        Retention tomb = Operation.TOMB.retention(lease, release);
        return Files.writeString(
                file,
                TEXT.formatted(
                        upstreamPort,
                        adminPort,
                        ADMIN_TOKEN,
                        store,
                        millis,
                        3 * millis,
                        DyingUpstream.REFUSED,
                        Operation.HOLD.retention(lease, release).active().toMillis(),
                        release == 1 ? "" : "fields: [\"-/comment\"]",
                        Operation.BRIEF.retention(lease, release).active().toMillis(),
                        tomb.active().toMillis(),
                        tomb.tombstone().toMillis()));
    }
}
