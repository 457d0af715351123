package dev.semel.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Whether the relay of a destination polls, and announces this to writers, or sleeps until a message is added.
 *
 * <p>It stays awake for a while after it has found something; so writers send no notification while there is much to do,
 * and the first one after a pause does.
 */
final class PollingState {

    private static final Duration AWAKE = Duration.ofSeconds(1);
    private static final Duration TELL_EVERY = Duration.ofMillis(300);

    private static final String TELL = """
            INSERT INTO {outbox}_relay (destination, awake_until)
            VALUES (?, clock_timestamp() + ? * interval '1 ms')
            ON CONFLICT (destination) DO UPDATE SET awake_until = excluded.awake_until""";

    private final DataSource dataSource;
    private final String tell;
    private final String destination;
    private long foundAt;
    private long toldAt;

    PollingState(DataSource dataSource, OutboxName name, String destination) {
        this.dataSource = dataSource;
        this.tell = name.in(TELL);
        this.destination = destination;
        // Awake at first: writers that do not know of this relay yet send no notification.
        this.foundAt = System.nanoTime();
        this.toldAt = System.nanoTime() - AWAKE.toNanos();
    }

    /** Announces the destination to writers, with a sleeping relay. */
    void begin() throws SQLException {
        tell(Duration.ZERO);
    }

    void found() throws SQLException {
        foundAt = System.nanoTime();
        if (foundAt - toldAt >= TELL_EVERY.toNanos()) {
            toldAt = foundAt;
            tell(AWAKE);
        }
    }

    boolean isAwake() {
        return System.nanoTime() - foundAt < AWAKE.plusMillis(100).toNanos();
    }

    private void tell(Duration awake) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            SqlTransaction.update(connection, tell, destination, awake.toMillis());
        }
    }
}
