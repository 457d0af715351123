package dev.semel.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Recoverable;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.messaging.Backoff;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel that is replaced by another when the broker has closed it.
 *
 * <p>The client's recovery restores connections with all of their channels. It does not reopen a single channel that
 * the broker has closed, because of an error or a missing acknowledgement.
 */
final class LastingChannel {

    private static final Logger LOG = LoggerFactory.getLogger(LastingChannel.class);

    private final Connection connection;
    private final String purpose;
    private final Setup setup;
    private Channel channel;
    private boolean opening = true;
    private boolean useless;
    private boolean closed;

    /** Sets up a new channel. */
    @FunctionalInterface
    interface Setup {
        void prepare(LastingChannel owner, Channel channel) throws IOException;
    }

    /** Opens a channel; where the first cannot be prepared, there will be no other. */
    LastingChannel(Connection connection, String purpose, Setup setup) throws IOException {
        this.connection = connection;
        this.purpose = purpose;
        this.setup = setup;
        this.channel = connection.createChannel();
        try {
            prepare(channel);
        } catch (IOException | RuntimeException e) {
            last().abort();
            throw e;
        }
    }

    private void prepare(Channel fresh) throws IOException {
        fresh.addShutdownListener(cause -> {
            if (!cause.isHardError() && !cause.isInitiatedByApplication()) {
                replace(fresh, cause);
            }
        });
        setup.prepare(this, fresh);
        synchronized (this) {
            if (useless) {
                throw new IOException("the channel was closed before it was ready");
            }
            opening = false;
        }
    }

    /** Opens another channel in the place of this one, unless that has been done. */
    void replace(Channel broken, Exception cause) {
        synchronized (this) {
            if (closed || broken != channel) {
                return;
            }
            useless = true;
            if (opening) {
                return;
            }
            opening = true;
        }
        LOG.warn("the channel of {} has ended, and another is opened", purpose, cause);
        openLater(1);
    }

    /**
     * Reopens the channel after a pause, and not on a thread of the connection, which has to read the broker's answers.
     */
    private void openLater(int tries) {
        CompletableFuture.delayedExecutor(Backoff.DEFAULT.after(tries).toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> open(tries));
    }

    private void open(int tries) {
        try {
            // Otherwise, it would come back when the connection recovers.
            current().abort();
            Channel fresh = connection.createChannel();
            if (install(fresh)) {
                prepare(fresh);
            }
            if (isClosed()) {
                fresh.abort();
            }
        } catch (IOException | RuntimeException e) {
            if (isClosed() || isGone(connection)) {
                return;
            }
            LOG.debug("no channel for {} could be opened, after {} tries", purpose, tries, e);
            openLater(tries + 1);
        }
    }

    private static boolean isGone(Connection connection) {
        ShutdownSignalException end = connection.getCloseReason();
        return end != null && (end.isInitiatedByApplication() || !(connection instanceof Recoverable));
    }

    private synchronized boolean install(Channel fresh) {
        channel = fresh;
        useless = false;
        return !closed;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized Channel current() {
        return channel;
    }

    static void close(Channel last) throws IOException {
        try {
            if (last.isOpen()) {
                last.close();
            }
        } catch (TimeoutException e) {
            throw new IOException("the channel could not be closed in time", e);
        }
    }

    /** Opens no other channel from now on. */
    synchronized Channel last() {
        closed = true;
        return channel;
    }
}
