package dev.semel.servlet;

import dev.semel.http.HandlerResponse;
import dev.semel.util.Failures;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The error of a handler that the container renders: it is held until a dispatch in which the container can be given it,
 * and the container makes an error dispatch of it if it has a page for it.
 */
final class ErrorDispatch {

    private static final long UNSEEN_SECONDS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(ErrorDispatch.class);

    private enum Stage {
        NONE,
        HELD,
        RAISED
    }

    private final ErrorRendering rendering;
    private final HandlerRun run;
    private final Capture capture;
    private final Runnable concluded;
    private volatile Stage stage = Stage.NONE;
    private volatile @Nullable Throwable thrown;

    /** @param concluded runs when the error will not be rendered any more */
    ErrorDispatch(ErrorRendering rendering, HandlerRun run, Capture capture, Runnable concluded) {
        this.rendering = rendering;
        this.run = run;
        this.capture = capture;
        this.concluded = concluded;
    }

    /**
     * Holds an error if there is one and the container renders it.
     *
     * @param failure the handler's exception; {@code null} if it has returned
     */
    boolean hold(@Nullable Throwable failure) {
        if (rendering != ErrorRendering.CONTAINER
                || run.isTimingOut()
                || capture.isStreaming()
                || (failure == null && capture.error() == null)) {
            return false;
        }
        thrown = failure;
        stage = Stage.HELD;
        return true;
    }

    boolean isHeld() {
        return stage == Stage.HELD;
    }

    boolean isRaised() {
        return stage == Stage.RAISED;
    }

    /** The handler's exception, without the wrappers of containers and frameworks. */
    @Nullable
    Throwable thrown() {
        Throwable failure = thrown;
        return failure == null ? null : HandlerFailure.rootOf(failure);
    }

    /** Gives the container the error. */
    void raise(HttpServletResponse response) throws IOException {
        stage = Stage.RAISED;
        capture.attach(response);
        Capture.SentError error = capture.error();
        if (thrown != null || error == null) {
            throw Failures.<RuntimeException>sneaky(Objects.requireNonNull(thrown));
        }
        error.sendTo(response);
    }

    /**
     * The error handler may have answered it by itself. It may also be about to make an error dispatch: some
     * containers say that a request has ended before they do.
     */
    void concludeUnseen() {
        if (isHeld()) {
            // The container was not given the error, and has nothing to say of it.
            capture.detach();
        }
        HandlerResponse unseen = capture.unseen(thrown());
        CompletableFuture.delayedExecutor(UNSEEN_SECONDS, TimeUnit.SECONDS).execute(() -> {
            if (run.answered(unseen)) {
                LOG.debug("an error was answered with status {} outside of this filter", unseen.status());
                concluded.run();
            }
        });
    }
}
