package dev.semel.http.replay;

import dev.semel.http.problem.Answer;
import dev.semel.http.stored.ReplayHook;
import dev.semel.http.stored.ReplayHook.Decision;
import dev.semel.util.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the application before a replay. */
public final class HookCall {

    private static final int SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(HookCall.class);

    private HookCall() {}

    /** Its decision; {@code null} if it failed to make one. The stage never fails, and may complete on any thread. */
    public static CompletionStage<@Nullable Decision> decide(ReplayHook hook, ReplayHook.Replay replay) {
        return Failures.inStage(() -> hook.decide(replay))
                .toCompletableFuture()
                .copy()
                .orTimeout(SECONDS, TimeUnit.SECONDS)
                .handle((decision, error) -> {
                    if (decision == null) {
                        LOG.warn("the replay hook failed to decide about operation {}", replay.operation(), error);
                    }
                    return decision;
                });
    }

    /** The answer after a decision other than a refusal. */
    public static Answer answer(Decision decision, Answer stored) {
        return decision instanceof Decision.Instead instead ? instead.answer() : stored;
    }
}
