package dev.semel.spi.life;

import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/** Converts the exceptions of an engine's driver to those of a store. */
public final class EngineFailures {

    private EngineFailures() {}

    /**
     * For a driver whose failures need no explanation.
     *
     * @param engine the name of the engine in messages
     * @param mayPass whether a failure of the driver is temporary; all others are permanent refusals
     */
    public static Function<Throwable, StoreException> of(String engine, Predicate<Throwable> mayPass) {
        return failure -> wrap(engine, failure, mayPass);
    }

    /** Unwraps the exceptions that completion stages wrap around others. */
    public static Throwable unwrap(Throwable failure) {
        return Failures.unwrap(failure);
    }

    private static StoreException wrap(String engine, Throwable failure, Predicate<Throwable> mayPass) {
        Throwable cause = unwrap(failure);
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof TimeoutException || cause instanceof CancellationException) {
            return new StoreUnavailableException(engine + " did not answer in time", cause);
        }
        return cause instanceof IOException || mayPass.test(cause)
                ? new StoreUnavailableException(engine + " cannot serve the call now: " + cause.getMessage(), cause)
                : new StoreException(engine + " refused the call: " + cause, cause);
    }
}
