package dev.semel.engine.histories;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.time.Duration;
import java.util.Locale;

/** One version of the application: its policies, the names of its operations and what its fingerprints cover. */
record Release(int number, EngineFlaw flaw) {

    static final Duration LEASE = Duration.ofMillis(400);
    private static final Duration RETENTION = Duration.ofDays(30);
    private static final Duration WAIT = LEASE.multipliedBy(2);

    /** The requests of clients. */
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

    ExternalPolicy policy(Kind kind) {
        ExternalPolicy.Builder policy =
                named(kind).lease(isOdd() ? LEASE.plusMillis(100) : LEASE).retention(RETENTION.plusDays(number));
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

    /** Every second release renames its operations, and lists their former names. */
    private ExternalPolicy.Builder named(Kind kind) {
        String first = kind.name().toLowerCase(Locale.ROOT);
        if (!isOdd()) {
            return Policy.external(first);
        }
        ExternalPolicy.Builder renamed = Policy.external(method(kind));
        return flaw == EngineFlaw.FORMER_NAMES_ARE_NOT_LISTED ? renamed : renamed.formerly(first);
    }

    /** What the application calls the method that does it. */
    private String method(Kind kind) {
        return (isOdd() ? "do-" : "perform-") + kind.name().toLowerCase(Locale.ROOT);
    }

    Key key(Kind kind, Key truly) {
        return flaw == EngineFlaw.KEYS_CONTAIN_THE_NAME_OF_A_METHOD
                ? Key.of(truly.scope(), method(kind) + ":" + truly.value())
                : truly;
    }

    /** What the client asks for, as far as this release can tell. */
    Fingerprint intent(Kind kind, String body) {
        return covered(body).withRules(rules()).forOperation(kind.name());
    }

    /** What this release gives to the engine for it. */
    Fingerprint fingerprint(String body) {
        return switch (flaw) {
            case FINGERPRINTS_WITHOUT_RULES -> covered(body);
            case FINGERPRINTS_WITHOUT_OPERATION ->
                covered(body).withRules(rules()).forOperation("any");
            default -> covered(body).withRules(rules());
        };
    }

    private String[] rules() {
        return isOdd() ? new String[] {"amount", "currency"} : new String[] {"amount"};
    }

    private Fingerprint covered(String body) {
        return isOdd() ? Fingerprint.of(body, "EUR") : Fingerprint.of(body);
    }
}
