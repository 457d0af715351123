package dev.semel.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which destinations have a relay that may be asleep, as far as this process knows. Only their messages are sent together with
 * {@link #WAKE}: it costs as much as the message itself.
 */
final class SleepingRelays {

    /** Says for how long the relay stays awake; if it sleeps, notifies it when the transaction commits. */
    static final String WAKE = """
            SELECT (extract(epoch FROM awake_until - clock_timestamp()) * 1000)::bigint,
                   CASE WHEN awake_until < clock_timestamp() THEN pg_notify('{name}', '') END
            FROM {outbox}_relay WHERE destination = ?""";

    /** Shorter than a relay that starts looks for messages by itself. */
    private static final Duration ABSENT = Duration.ofMillis(200);

    private final Map<String, Long> knownUntil = new ConcurrentHashMap<>();

    boolean mayInclude(String destination) {
        Long until = knownUntil.get(destination);
        return until == null || System.nanoTime() - until >= 0;
    }

    /**
     * Reads what {@link #WAKE} has answered.
     *
     * @param askedAt the time before it was sent, from which the relay counts as awake
     */
    void answered(String destination, long askedAt, ResultSet answer) throws SQLException {
        Duration awake = answer.next() ? Duration.ofMillis(answer.getLong(1)) : ABSENT;
        knownUntil.put(destination, askedAt + awake.toNanos());
    }
}
