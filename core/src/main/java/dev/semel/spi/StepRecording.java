package dev.semel.spi;

import java.util.concurrent.CompletionStage;

/** A store that keeps the results of an attempt's steps for the attempt that may come after it. */
public interface StepRecording {

    /**
     * Records a step's result under its name if the key is pending and carries this lease; {@code false} means that the
     * lease is lost. Repeated for the same lease and name it is {@code true} again and keeps the first result.
     */
    CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result);
}
