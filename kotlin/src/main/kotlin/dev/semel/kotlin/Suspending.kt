package dev.semel.kotlin

import dev.semel.Attempt
import dev.semel.Call
import dev.semel.Execution
import dev.semel.ExternalOperation
import dev.semel.Fingerprint
import dev.semel.Key
import dev.semel.OutcomeUnknownException
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.asDeferred
import kotlinx.coroutines.future.future

/**
 * Runs suspending work under the key, or returns why it did not run. The work runs in the context of the caller, and no
 * thread is held while the store answers.
 *
 * A caller that is cancelled stops waiting. The work runs to its end, and its outcome is stored: cancelling it halfway would
 * leave an unknown outcome. For the same reason, work that cancels itself, for example with
 * [kotlinx.coroutines.withTimeout], ends with an [OutcomeUnknownException].
 */
public suspend fun <T : Any> ExternalOperation<T>.runSuspending(
    key: Key,
    fingerprint: Fingerprint,
    work: suspend (Attempt) -> T,
): Execution<T> = runSuspending(Call.of(key, fingerprint), work)

/** Like the other [runSuspending], for a [Call] with its own settings. */
public suspend fun <T : Any> ExternalOperation<T>.runSuspending(
    call: Call,
    work: suspend (Attempt) -> T,
): Execution<T> {
    val context = currentCoroutineContext().minusKey(Job)
    val dispatcher = context[ContinuationInterceptor] as? CoroutineDispatcher ?: Dispatchers.Default
    val execution =
        runAsync(call, dispatcher.asExecutor()) { attempt ->
            // Undispatched: it is on the dispatcher already, with a lease that is alive at this moment.
            CoroutineScope(context).future(start = CoroutineStart.UNDISPATCHED) { work(attempt) }
        }
    try {
        // Not the await of the stage, which would cancel it.
        return execution.asDeferred().await()
    } catch (e: CancellationException) {
        currentCoroutineContext().ensureActive()
        // The exception itself would end the caller quietly, as if it had been cancelled.
        throw OutcomeUnknownException("the operation was cancelled, and what it did is not known", e)
    }
}
