package dev.semel.engine.histories;

import dev.semel.Duplicates;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Policy;
import dev.semel.Recovery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** One version of the application: its policies, the names of its operations and what its fingerprints cover. */
record Release(int number, EngineFlaw flaw) {

    static final Duration LEASE = Duration.ofMillis(400);
    private static final Duration RETENTION = Duration.ofDays(30);
    private static final Duration WAIT = LEASE.multipliedBy(2);

    /** What clients ask for. */
    enum Kind {
        CHARGE,
        REDO,
        ORDER,
        SHIP,
        CANCEL
    }

    private boolean isOdd() {
        return number % 2 == 1;
    }

    Policy policy(Kind kind) {
        Policy.Builder policy = Policy.external(name(kind))
                .lease(isOdd() ? LEASE.plusMillis(100) : LEASE)
                .retention(RETENTION.plusDays(number));
        return switch (kind) {
            case CHARGE ->
                policy.recovery(isOdd() ? Recovery.RECONCILE : Recovery.HOLD).build();
            case REDO ->
                policy.recovery(Recovery.RE_EXECUTE)
                        .duplicates(Duplicates.waitFor(WAIT))
                        .build();
            case ORDER -> policy.recovery(Recovery.RE_EXECUTE).build();
            case SHIP, CANCEL -> policy.build();
        };
    }

    String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** What the application calls the method that does it. */
    private String method(Kind kind) {
        return isOdd() ? "do" + kind : "perform" + kind;
    }

    Key key(Kind kind, Key truly) {
        return flaw == EngineFlaw.KEYS_CONTAIN_THE_NAME_OF_THE_OPERATION
                ? Key.of(truly.scope(), method(kind) + ":" + truly.value())
                : truly;
    }

    /** What the client asks for, as far as this release can tell. */
    Fingerprint intent(Kind kind, String body) {
        return fingerprint(1 + number % 2, kind.name(), body);
    }

    /** What this release gives to the engine for it. */
    Fingerprint fingerprint(Kind kind, String body) {
        int rules = flaw == EngineFlaw.FINGERPRINTS_WITHOUT_RULES ? 1 : 1 + number % 2;
        String operation = flaw == EngineFlaw.FINGERPRINTS_WITHOUT_OPERATION ? "" : name(kind);
        return fingerprint(rules, operation, body);
    }

    private Fingerprint fingerprint(int rules, String operation, String body) {
        String covered = isOdd() ? body : body + ", now with its currency";
        return Fingerprint.of(
                rules, operation.getBytes(StandardCharsets.UTF_8), covered.getBytes(StandardCharsets.UTF_8));
    }
}
