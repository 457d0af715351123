package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreUnavailableException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is to be done with a message, by what its key and its handler say. */
class MessageGuardTest {

    private static final Key KEY = Key.of("queue", "k");
    private static final Fingerprint FINGERPRINT = Fingerprint.of("body");
    private static final ExternalPolicy CLOSED = Policy.external("ship").build();
    private static final ExternalPolicy OPEN =
            Policy.external("ship").whenStoreIsDown(WhenStoreIsDown.OPEN).build();

    private final InMemoryKeyStore store = InMemoryKeyStore.builder().build();
    private final AtomicInteger runs = new AtomicInteger();
    private Supplier<CompletionStage<Claim>> claims =
            () -> CompletableFuture.failedStage(new StoreUnavailableException("down", null));
    private final Semel semel = Semel.builder(storeWithOtherClaims())
            .patience(Duration.ofMillis(1), Duration.ofMillis(1))
            .build();

    private KeyStore storeWithOtherClaims() {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                InMemoryKeyStore.class.getInterfaces(),
                (proxy, method, arguments) -> method.getName().equals("claim") && claims != null
                        ? claims.get()
                        : method.invoke(store, arguments));
    }

    @AfterEach
    void close() {
        semel.close();
    }

    private MessageGuard<String> guard(Policy policy, MessageHandler<String> handler) {
        Handling<String> handling = Handling.blocking((message, attempt) -> {
            runs.incrementAndGet();
            handler.handle(message, attempt);
        });
        return MessageGuard.builder(semel, policy, handling).build();
    }

    private MessageVerdict offer(Policy policy, MessageHandler<String> handler) {
        return guard(policy, handler)
                .offer(KEY, FINGERPRINT, "body", Turn.NOW)
                .toCompletableFuture()
                .join();
    }

    @Test
    void aMessageWaitsForAStoreThatIsDown() {
        assertThat(offer(CLOSED, (message, attempt) -> {}))
                .isInstanceOfSatisfying(
                        MessageVerdict.Again.class,
                        again -> assertThat(again.cause()).isEqualTo(MessageVerdict.Cause.STORE_DOWN));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aMessageThatRanUnprotectedIsDone() {
        assertThat(offer(OPEN, (message, attempt) -> {})).isEqualTo(new MessageVerdict.Settled(true));
        assertThat(guard(OPEN, (message, attempt) -> {}).offerHere(KEY, FINGERPRINT, "body"))
                .isEqualTo(new MessageVerdict.Settled(true));
        assertThat(runs).hasValue(2);
    }

    @Test
    void aMessageThatFailedUnprotectedIsDead() {
        assertThat(offer(OPEN, (message, attempt) -> {
                    throw new IllegalStateException("no such address");
                }))
                .isEqualTo(new MessageVerdict.Dead(
                        MessageVerdict.Reason.FAILED, IllegalStateException.class.getName(), "no such address"));
        assertThat(offer(OPEN, (message, attempt) -> {
                    throw new MessageRejectedException("not for us", null);
                }))
                .isEqualTo(new MessageVerdict.Dead(
                        MessageVerdict.Reason.FAILED, MessageRejectedException.class.getName(), "not for us"));
        MessageGuard<String> guard = guard(OPEN, (message, attempt) -> {
            throw new IOException("unplugged");
        });
        assertThat(guard.offerHere(KEY, FINGERPRINT, "body"))
                .isEqualTo(new MessageVerdict.Dead(
                        MessageVerdict.Reason.FAILED, IOException.class.getName(), "unplugged"));
    }

    @Test
    void aMessageThatWasNotExecutedUnprotectedIsTriedAgain() {
        NotExecutedException refused = new NotExecutedException("not now", null);
        assertThat(offer(OPEN, (message, attempt) -> {
                    throw refused;
                }))
                .isInstanceOfSatisfying(MessageVerdict.Again.class, again -> {
                    assertThat(again.cause()).isEqualTo(MessageVerdict.Cause.NOT_EXECUTED);
                    assertThat(again.failure()).isSameAs(refused);
                });
    }

    @Test
    void aMessageThatCannotTellWhatItDidUnprotectedIsUnknownWhenTheStoreIsBack() {
        MessageGuard<String> guard = guard(OPEN, (message, attempt) -> {
            throw new IllegalStateException("could not charge", new StoreUnavailableException("down", null));
        });
        assertThat(guard.offerHere(KEY, FINGERPRINT, "body"))
                .isInstanceOfSatisfying(
                        MessageVerdict.Again.class,
                        again -> assertThat(again.cause()).isEqualTo(MessageVerdict.Cause.NOT_STORED));

        claims = null;
        // The engine may be taking back the claim whose answer was lost.
        MessageVerdict verdict = guard.offerHere(KEY, FINGERPRINT, "body");
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!isUnknown(verdict) && System.nanoTime() < deadline) {
            verdict = guard.offerHere(KEY, FINGERPRINT, "body");
        }
        assertThat(isUnknown(verdict)).as("%s", verdict).isTrue();
        assertThat(runs).hasValue(1);
    }

    private static boolean isUnknown(MessageVerdict verdict) {
        return verdict instanceof MessageVerdict.Again again && again.cause() == MessageVerdict.Cause.UNKNOWN;
    }

    @Test
    void aMessageWhoseKeyIsHeldIsNotOfferedAgainImmediately() {
        // A store's answer while another transaction has the key: it cannot see until when.
        claims = () -> CompletableFuture.completedStage(new Claim.InFlight(Duration.ZERO, Duration.ZERO));

        assertThat(offer(CLOSED, (message, attempt) -> {}))
                .isInstanceOfSatisfying(MessageVerdict.Again.class, again -> {
                    assertThat(again.cause()).isEqualTo(MessageVerdict.Cause.IN_FLIGHT);
                    assertThat(again.atMost()).isPositive();
                });
    }
}
