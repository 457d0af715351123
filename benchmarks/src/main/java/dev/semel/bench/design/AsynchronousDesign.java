package dev.semel.bench.design;

import java.util.concurrent.CompletionStage;

/** A design whose calls do not occupy a thread while they wait. */
public interface AsynchronousDesign extends Design {

    /** What {@link #cycle} does. */
    CompletionStage<?> cycleAsync(String key);

    /** What {@link ReplayingDesign#replay} does. */
    CompletionStage<?> replayAsync(String key);
}
