package dev.semel.bench;

import java.util.concurrent.CompletionStage;

/** A design whose calls do not occupy a thread while they wait. */
interface Asynchronous extends Design {

    /** What {@link #cycle} does. */
    CompletionStage<?> cycleAsync(String key);

    /** What {@link Replaying#replay} does. */
    CompletionStage<?> replayAsync(String key);
}
