package dev.semel.client.sending;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The history of the requests for one operation: how many are under way, whether one of them may have been applied, and
 * until when the server remembers the key.
 */
public final class SendHistory {

    private int active;
    private boolean maybeApplied;
    private @Nullable Instant since;
    private @Nullable Instant published;

    /** A history of one send, which begins. */
    public static SendHistory begun(Instant now) {
        SendHistory history = new SendHistory();
        history.begin(now);
        return history;
    }

    /** The history of an operation that an earlier process has begun. */
    public static SendHistory resumed(Instant since, @Nullable Instant published) {
        SendHistory history = new SendHistory();
        history.since = since;
        history.published = published;
        history.maybeApplied = true;
        return history;
    }

    public synchronized void begin(Instant now) {
        active++;
        if (since == null) {
            since = now;
        }
    }

    /** Ends a send. If it may have been applied, no later refusal can say that the operation was not. */
    public synchronized void end(boolean mayBeApplied) {
        active--;
        maybeApplied |= mayBeApplied;
        if (nothingApplied()) {
            since = null;
            published = null;
        }
    }

    public synchronized boolean isActive() {
        return active > 0;
    }

    /** Whether no send is under way and none may have been applied. */
    public synchronized boolean nothingApplied() {
        return active == 0 && !maybeApplied;
    }

    /** Whether a send other than the calling one may have been applied, or may still be. */
    public synchronized boolean othersMayBeApplied() {
        return maybeApplied || active > 1;
    }

    /** The start of the first send that may have been applied, or may still be; {@code null} if there is none. */
    public synchronized @Nullable Instant since() {
        return since;
    }

    /** Notes until when the server keeps the key, as it said itself. */
    public synchronized void published(Instant expires) {
        published = expires;
    }

    public synchronized @Nullable Instant published() {
        return published;
    }

    /** When the server may have forgotten the key: after the retention, or when it said, whichever is earlier. */
    public synchronized Instant expires(Duration retention) {
        Instant latest = since == null ? Instant.MAX : since.plus(retention);
        return published != null && published.isBefore(latest) ? published : latest;
    }
}
