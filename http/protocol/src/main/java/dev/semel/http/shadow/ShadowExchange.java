package dev.semel.http.shadow;

import dev.semel.Attempt;
import dev.semel.http.spool.Spool;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request that runs in shadow mode. The adapter lets it through untouched, shows its body to {@link #body} as the
 * application reads it, and calls {@link #ended} when it is over. Nothing here waits or throws.
 */
public final class ShadowExchange {

    private final ShadowRecorder recorder;
    private final Protocol protocol;
    private final ShadowBody body;
    private final Attempt attempt;
    private final long startedAt;
    private final AtomicBoolean over = new AtomicBoolean();

    /** The request as the HTTP protocol sees it. */
    public interface Protocol {

        String operation();

        /** How long its key would be kept. */
        Duration retention();

        /** The largest body that the rules accept. */
        long maxBody();

        /** Whether the operation was executed, as protection would see it. */
        ShadowedEnd end(int status, @Nullable Throwable failure, boolean reportsEntry);

        /**
         * Reads key and fingerprint; {@code null} if they are not known. Called later, on another thread.
         *
         * @param exact whether this is the body itself, and not a digest of it
         */
        @Nullable
        ShadowedCall read(@Nullable String scope, Spool body, boolean exact);

        /** Receives each finding. */
        void tell(ShadowFinding finding);
    }

    ShadowExchange(ShadowRecorder recorder, Protocol protocol, ShadowBody body, Attempt attempt, long startedAt) {
        this.recorder = recorder;
        this.protocol = protocol;
        this.body = body;
        this.attempt = attempt;
        this.startedAt = startedAt;
    }

    /** The observer to which the adapter passes the body. */
    public ShadowBody body() {
        return body;
    }

    /** The attempt for a handler that asks for one. */
    public Attempt attempt() {
        return attempt;
    }

    /**
     * The request is over; counts once.
     *
     * @param scope the caller; {@code null} if it is not known
     * @param failure what the application threw, or has made its response of; {@code null} if nothing
     * @param reportsEntry whether the adapter would know of a protected request that its handler was not entered; here it
     *     is not asked, and an answer such as 400 is taken for a refusal before the handler
     */
    public void ended(@Nullable String scope, int status, @Nullable Throwable failure, boolean reportsEntry) {
        if (over.compareAndSet(false, true)) {
            recorder.take(this, scope, new Ending(status, failure, reportsEntry, startedAt, recorder.now()));
        }
    }

    /** The request is over, and how is not known, for example because the client has left; it is not counted. */
    public void abandoned() {
        if (over.compareAndSet(false, true)) {
            body.release();
        }
    }

    Protocol protocol() {
        return protocol;
    }

    /** How a request has ended; times are in milliseconds. */
    record Ending(int status, @Nullable Throwable failure, boolean reportsEntry, long startedAt, long endedAt) {

        private static final int FIRST_ERROR = 400;

        boolean isError() {
            return status >= FIRST_ERROR;
        }
    }
}
