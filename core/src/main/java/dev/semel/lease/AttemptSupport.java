package dev.semel.lease;

import dev.semel.LeaseLostException;
import dev.semel.spi.Lease;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The services of the engine for a running attempt. */
public interface AttemptSupport {

    /** Throws if steps cannot be recorded. */
    void requireSteps();

    /** Writes a step's result; completes with {@link LeaseLostException} if the lease is lost. */
    CompletionStage<?> record(Lease lease, String name, byte[] result);

    /** Asks the store whether the lease is held; completes with {@link LeaseLostException} if it is not. */
    CompletionStage<?> renew(RunningAttempt attempt);

    /** Takes note of a key value that the attempt gives to a downstream call. */
    void named(String child, RunningAttempt parent);

    /** The executor for work that had to wait for the store. */
    Executor executor();
}
