package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SemelTest {

    private static final Key KEY = Key.of("merchant", "k");

    private final InMemoryKeyStore store = InMemoryKeyStore.create();
    private final Semel semel = Semel.builder(store).build();
    private final ExternalOperation<String> charge =
            semel.operation(Policy.external("charge").build(), OutcomeCodec.text());
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void runsOnceAndReplaysAfterwards() {
        Execution<String> first =
                charge.run(KEY, Fingerprint.of("a"), attempt -> "receipt " + effects.incrementAndGet());
        Execution<String> second =
                charge.run(KEY, Fingerprint.of("a"), attempt -> "receipt " + effects.incrementAndGet());

        assertThat(first).isInstanceOf(Execution.Executed.class);
        assertThat(second).isInstanceOf(Execution.Replayed.class);
        assertThat(second.get()).isEqualTo(first.get()).isEqualTo("receipt 1");
    }

    @Test
    void runsTheOperationOnTheCallingThread() {
        Thread caller = Thread.currentThread();
        charge.run(KEY, Fingerprint.of("a"), attempt -> {
            assertThat(Thread.currentThread()).isSameAs(caller);
            return "done";
        });
    }

    @Test
    void tellsAnotherRequestFromARetry() {
        charge.run(KEY, Fingerprint.of("a"), attempt -> "done");

        assertThat(charge.run(KEY, Fingerprint.of("b"), attempt -> "again")).isInstanceOf(Execution.Mismatched.class);
    }

    @Test
    void keepsAFailureAndThrowsItAsItWas() {
        assertThatThrownBy(() -> charge.run(KEY, Fingerprint.of("a"), attempt -> {
                    throw new IOException("declined " + effects.incrementAndGet());
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("declined 1");

        Execution<String> retry = charge.run(KEY, Fingerprint.of("a"), attempt -> "second run");
        assertThat(retry).isInstanceOf(Execution.Replayed.class);
        assertThatThrownBy(retry::get)
                .isInstanceOf(OperationFailedException.class)
                .hasMessage("declined 1");
    }

    @Test
    void releasesTheKeyOfAnOperationThatDidNotExecute() {
        assertThatThrownBy(() -> charge.run(KEY, Fingerprint.of("a"), attempt -> {
                    throw new NotExecutedException("no connection", null);
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThat(charge.run(KEY, Fingerprint.of("a"), attempt -> "done").get())
                .isEqualTo("done");
    }

    @Test
    void holdsTheKeyOfAnOperationThatCannotTellWhatItDid() {
        assertThatThrownBy(() -> charge.run(KEY, Fingerprint.of("a"), attempt -> {
                    throw new OutcomeUnknownException("no answer", null);
                }))
                .isInstanceOf(OutcomeUnknownException.class);

        assertThat(charge.run(KEY, Fingerprint.of("a"), attempt -> "second run"))
                .isInstanceOf(Execution.Unknown.class);
    }

    @Test
    void runsAgainAfterAnOperationThatCannotTellWhatItDidOnlyWhenItsLeaseHasLapsed() {
        SettableTime time = new SettableTime();
        ExternalPolicy policy =
                Policy.external("charge").recovery(Recovery.RE_EXECUTE).build();
        Call call = Call.of(KEY, Fingerprint.of("a"));
        try (Semel own =
                Semel.builder(InMemoryKeyStore.builder().clock(time).build()).build()) {
            assertThatThrownBy(() -> own.operation(policy, OutcomeCodec.text()).run(call, attempt -> {
                        throw new OutcomeUnknownException("no answer", null);
                    }))
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThat(own.operation(policy, OutcomeCodec.text()).run(call, attempt -> "too early"))
                    .isInstanceOf(Execution.InFlight.class);

            time.now = time.now.plus(policy.lease()).plusMillis(1);
            assertThat(own.operation(policy, OutcomeCodec.text())
                            .run(call, attempt -> "attempt " + attempt.number())
                            .get())
                    .isEqualTo("attempt 2");
        }
    }

    private static final class SettableTime implements InstantSource {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }
    }
}
