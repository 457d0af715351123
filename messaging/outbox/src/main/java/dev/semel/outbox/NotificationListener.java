package dev.semel.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the notification that a message was added, on a separate connection. Without it, relays poll. */
final class NotificationListener implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final int WAIT_MILLIS = 500;
    private static final long RECONNECT_MILLIS = 1_000;

    private final RelaySettings settings;
    private final Runnable wake;
    private final CountDownLatch stopped = new CountDownLatch(1);

    NotificationListener(RelaySettings settings, Runnable wake) {
        this.settings = settings;
        this.wake = wake;
    }

    void stop() {
        stopped.countDown();
    }

    @Override
    public void run() {
        while (stopped.getCount() > 0) {
            try (Connection connection = settings.dataSource().getConnection()) {
                if (!connection.isWrapperFor(PGConnection.class)) {
                    LOG.info(
                            "the data source gives no PostgreSQL connections to listen on; looking for messages every {}",
                            settings.poll());
                    return;
                }
                listen(connection);
            } catch (SQLException e) {
                LOG.info("no notifications for now; looking for messages every {}", settings.poll(), e);
                await();
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute(settings.name().in("LISTEN {name}"));
            // What was added before it listened.
            wake.run();
            PGConnection session = connection.unwrap(PGConnection.class);
            while (stopped.getCount() > 0) {
                PGNotification[] notifications = session.getNotifications(WAIT_MILLIS);
                if (notifications != null && notifications.length > 0) {
                    wake.run();
                }
            }
            statement.execute(settings.name().in("UNLISTEN {name}"));
        }
    }

    private void await() {
        try {
            if (stopped.await(RECONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("stopped");
            }
        } catch (InterruptedException e) {
            stop();
        }
    }
}
