package dev.semel.messaging;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** A handler whose operation is bound: it runs messages under their keys. */
interface BoundHandler<M> {

    /** Runs the handler under the call's key when its turn has come; a claim may be made before. */
    CompletionStage<Execution<Outcome>> run(
            Call call, Executor executor, Turn turn, M message, Consumer<Attempt> check);

    /** Runs the handler under the call's key, on the calling thread. */
    Execution<Outcome> runHere(Call call, M message, Consumer<Attempt> check) throws Exception;

    /** Ends the call's key without the handler, by the same policy. A known outcome of the key takes precedence. */
    CompletionStage<Execution<Outcome>> conclude(Call call, Executor executor, Function<Attempt, Outcome> end);

    /** Whether the handlers of several messages can share a transaction. */
    boolean canRunTogether();

    /**
     * Runs the handlers of messages in their order and in one transaction, on the calling thread, and returns how the first of
     * them ended. The others were not executed.
     */
    List<Execution<Outcome>> runTogether(Map<Key, M> messages, List<Call> calls, BooleanSupplier goesOn);
}
