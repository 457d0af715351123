package dev.semel.kotlin

import dev.semel.Execution
import dev.semel.ExternalOperation
import dev.semel.Fingerprint
import dev.semel.Key
import dev.semel.OutcomeCodec
import dev.semel.OutcomeUnknownException
import dev.semel.Semel
import dev.semel.memory.InMemoryKeyStore
import dev.semel.policy.Duplicates
import dev.semel.policy.Policy
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.fail

/** Operations whose work suspends. */
@Timeout(60)
class SuspendingTest {
    private val semel = Semel.builder(InMemoryKeyStore.create()).build()
    private val charge: ExternalOperation<String> =
        semel.operation(
            Policy.external("charge").duplicates(Duplicates.waitFor(Duration.ofSeconds(30))).build(),
            OutcomeCodec.text(),
        )
    private val runs = AtomicInteger()
    private val key = Key.of("alice", "1")
    private val request = Fingerprint.of("4200")

    @AfterEach
    fun close() = semel.close()

    @Test
    fun `runs once, and gives the stored value to a duplicate`() {
        runBlocking {
            // quoted: suspending
            val execution = charge.runSuspending(key, request) { attempt -> processor(attempt.childKey("charge")) }
            val receipt = execution.get() // run now, or replayed
            // end

            assertThat(execution).isInstanceOf(Execution.Executed::class.java)
            assertThat(receipt).isEqualTo("receipt 1")
            assertThat(charge.runSuspending(key, request) { processor("") }.get()).isEqualTo("receipt 1")
            assertThat(runs).hasValue(1)
        }
    }

    @Test
    fun `work runs on the dispatcher of its caller`() {
        runBlocking {
            val caller = Thread.currentThread()
            charge.runSuspending(key, request) {
                yield()
                assertThat(Thread.currentThread()).isSameAs(caller)
                "done"
            }.get()
            withContext(Dispatchers.Default) {
                charge.runSuspending(Key.of("alice", "2"), request) {
                    assertThat(Thread.currentThread().name).startsWith("DefaultDispatcher")
                    "done"
                }.get()
            }
        }
    }

    @Test
    fun `a failure is the outcome, and is replayed`() {
        runBlocking {
            repeat(2) {
                val failure =
                    runCatching {
                        charge.runSuspending(key, request) { error("declined in run ${runs.incrementAndGet()}") }.get()
                    }.exceptionOrNull()
                assertThat(failure).hasMessageContaining("declined in run 1")
            }
        }
    }

    @Test
    fun `work goes on when its caller is cancelled, and its outcome is kept`() {
        runBlocking {
            val started = CompletableDeferred<Unit>()
            val goOn = CompletableDeferred<Unit>()
            val caller =
                launch(Dispatchers.Default) {
                    charge.runSuspending(key, request) {
                        started.complete(Unit)
                        goOn.await()
                        processor("")
                    }
                    fail("the caller was cancelled")
                }
            started.await()
            caller.cancelAndJoin()
            assertThat(caller.isCancelled).isTrue()

            goOn.complete(Unit)
            // Waits for the first, if that has not ended yet.
            assertThat(charge.runSuspending(key, request) { processor("") }.get()).isEqualTo("receipt 1")
            assertThat(runs).hasValue(1)
        }
    }

    @Test
    fun `work that is cancelled by itself has an unknown outcome, and does not cancel its caller`() {
        runBlocking {
            val failure =
                runCatching {
                    charge.runSuspending(key, request) {
                        runs.incrementAndGet()
                        withTimeout(1) { awaitCancellation() }
                    }
                }.exceptionOrNull()

            assertThat(failure).isInstanceOf(OutcomeUnknownException::class.java)
            assertThat(charge.runSuspending(key, request) { processor("") }).isInstanceOf(Execution.Unknown::class.java)
            assertThat(runs).hasValue(1)
        }
    }

    private suspend fun processor(childKey: String): String {
        yield()
        assertThat(childKey).isNotNull()
        return "receipt ${runs.incrementAndGet()}"
    }
}
