package dev.semel.torture.service;

import dev.semel.Key;
import dev.semel.policy.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One request to the service.
 *
 * @param operation which of the service's operations
 * @param scope the caller
 * @param id names this sending of it, so that the ledger can tell in whose run an effect happened
 * @param work how long the operation takes
 * @param behaviour how it ends
 */
public record ServiceRequest(
        Operation operation, String scope, String key, String id, byte[] body, long work, Behaviour behaviour) {

    /** Every so many requests, a client is patient. */
    private static final int PATIENT = 3;

    /** The header with the key. */
    public static final String KEY = "Idempotency-Key";

    /** The header with the same for the service itself, where Semel is to find the key elsewhere. */
    public static final String OWN_KEY = "Story";

    /** The end of a body that is sent under the key of another one. */
    public static final String SOMETHING_ELSE = " and something else";

    /** What clients call the key of a record: a natural one is stored together with the name of its operation. */
    public static Key asSent(Key stored) {
        String value = stored.value();
        return value.startsWith("@") ? Key.of(stored.scope(), value.substring(value.indexOf(':') + 1)) : stored;
    }

    /** What describes the request, but for its body. */
    public Map<String, String> headers() {
        return Map.of(
                "Operation",
                operation.name(),
                "Scope",
                scope,
                KEY,
                key,
                "Request",
                id,
                "Work",
                Long.toString(work),
                "Behaviour",
                behaviour.name());
    }

    /** The request that the headers and the body of an HTTP request, or of a message, describe. */
    public static ServiceRequest read(UnaryOperator<String> header, byte[] body) {
        return read(header, KEY, body);
    }

    /** The same with the key in another header. */
    public static ServiceRequest read(UnaryOperator<String> header, String key, byte[] body) {
        return new ServiceRequest(
                Operation.valueOf(header.apply("Operation")),
                header.apply("Scope"),
                header.apply(key),
                header.apply("Request"),
                body,
                Long.parseLong(header.apply("Work")),
                Behaviour.valueOf(header.apply("Behaviour")));
    }

    /** What the service can do. */
    public enum Operation {
        /** An effect outside the database that must not be repeated. */
        HOLD,
        /** An effect outside the database that may be repeated after a crash. */
        REDO,
        /** An effect outside the database that may be repeated, inside another operation, under a key of its own, whose outcome is passed on. */
        ORDER,
        /** An effect outside the database, of which a reconciler finds out after a crash whether there was one. */
        ASK,
        /** An effect in the database, settled in its transaction. */
        TRANSACTION,
        /** The same with the claim in that transaction too. */
        SINGLE,
        /** An effect outside the database whose key is soon free again, and is only kept for people. */
        BRIEF,
        /** The same with a key that is refused for a while before it is free again. */
        TOMB;

        private static final String RENAMED = "-anew";

        /** What a release of the service calls it. */
        public String policy(int release) {
            return name().toLowerCase(Locale.ROOT) + (release == 1 ? "" : RENAMED);
        }

        /** The operation that some release of the service calls so. */
        public static Operation ofPolicy(String policy) {
            String first = policy.endsWith(RENAMED) ? policy.substring(0, policy.length() - RENAMED.length()) : policy;
            return valueOf(first.toUpperCase(Locale.ROOT));
        }

        /** How long a release remembers its keys: the second one for longer. */
        public Retention retention(Duration lease, int release) {
            Retention brief = Retention.of(lease.multipliedBy(2 + release).dividedBy(2));
            return switch (this) {
                case BRIEF -> brief.withAudit(Duration.ofDays(1));
                case TOMB -> brief.withTombstone(lease.plusSeconds(5));
                default -> Retention.of(Duration.ofDays(release));
            };
        }

        /** Whether keys are forgotten during a run. */
        public boolean forgets() {
            return this == BRIEF || this == TOMB;
        }

        /** Whether it can be asked for by a message: each is a consumer for each caller in every node. */
        public boolean hasConsumers() {
            return this != SINGLE && !forgets();
        }

        /** Whether there may be a second effect after a crash. */
        public boolean mayRunAgain() {
            return this == REDO || this == ORDER;
        }

        /** Whether the effects are rows that are committed together with the outcome. */
        public boolean isTransactional() {
            return this == TRANSACTION || this == SINGLE;
        }
    }

    /** How the operation ends. */
    public enum Behaviour {
        SUCCEED,
        /** It has its effect in a recorded step. */
        STEP,
        /** It is refused before its effect. */
        REFUSE,
        /** It is refused before its effect, by every other request, as by a service with too much to do. */
        REFUSE_SOMETIMES,
        /** It throws after its effect. */
        THROW,
        /** It has an outcome that some stores keep in several pieces. */
        LARGE,
        /** After its effect, an operation inside it is denied. */
        DENIED_INSIDE
    }

    /** Whether nothing comes of it. */
    public boolean isRefused() {
        return behaviour == Behaviour.REFUSE || (behaviour == Behaviour.REFUSE_SOMETIMES && number() % 2 == 0);
    }

    /** Whether its client waits for longer than the lease: only such a client hears what a zombie answers. */
    public boolean isPatient() {
        return number() % PATIENT == 0;
    }

    /** Requests are named by their numbers, after a letter. */
    private long number() {
        return Long.parseLong(id.substring(1));
    }

    /** Whether it is run on an executor, as every other story of those that may run again. */
    public boolean isAsynchronous() {
        return operation == Operation.REDO && (key + scope).hashCode() % 2 == 0;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
