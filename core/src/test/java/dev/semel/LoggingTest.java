package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoggingTest {

    private static final Key KEY = Key.of("secret-scope", "secret-key");
    private static final String BODY = "secret-body";
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger("dev.semel");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(now::get).build();
    private Level before;

    @BeforeEach
    void listen() {
        before = ROOT.getLevel();
        ROOT.setLevel(Level.INFO);
        lines.start();
        ROOT.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        ROOT.detachAppender(lines);
        ROOT.setLevel(before);
        assertThat(lines.list.toString()).doesNotContain("secret");
    }

    @Test
    void whatIsUsualIsSilent() {
        try (Semel semel = semel()) {
            semel.operation(policy(Recovery.HOLD), OutcomeCodec.text()).run(KEY, Fingerprint.of(BODY), attempt -> BODY);
            semel.operation(policy(Recovery.HOLD), OutcomeCodec.text()).run(KEY, Fingerprint.of(BODY), attempt -> BODY);
            semel.operation(policy(Recovery.HOLD), OutcomeCodec.text())
                    .run(KEY, Fingerprint.of("other"), attempt -> BODY);
            semel.maintain().toCompletableFuture().join();
        }

        assertThat(lines.list).isEmpty();
    }

    @Test
    void aLapseIsOneLine() {
        leaveBehind();
        try (Semel semel = semel()) {
            semel.operation(policy(Recovery.HOLD));
            semel.maintain().toCompletableFuture().join();
        }

        assertThat(onlyLine())
                .isEqualTo("WARN event=lapsed operation=charge key=" + KEY.digest() + " attempt=1 recovery=HOLD");
    }

    @Test
    void aTakeOverIsOneLine() {
        leaveBehind();
        try (Semel semel = semel()) {
            semel.operation(policy(Recovery.RE_EXECUTE), OutcomeCodec.text())
                    .run(KEY, Fingerprint.of(BODY), attempt -> BODY);
        }

        assertThat(onlyLine())
                .isEqualTo("WARN event=taken_over operation=charge key=" + KEY.digest() + " attempt=2 token=2");
    }

    @Test
    void anAttemptThatIsFencedOffIsOneLine() {
        try (Semel semel = semel()) {
            semel.operation(policy(Recovery.RE_EXECUTE), OutcomeCodec.text())
                    .run(KEY, Fingerprint.of(BODY), attempt -> {
                        now.updateAndGet(time -> time.plusSeconds(60));
                        store.claim(request(true)).toCompletableFuture().join();
                        return BODY;
                    });
        }

        assertThat(onlyLine())
                .isEqualTo("WARN event=fenced operation=charge key=" + KEY.digest() + " token=1 write=settle");
    }

    @Test
    void anAttemptThatCannotTellWhatItDidIsOneLine() {
        try (Semel semel = semel()) {
            assertThatThrownBy(() -> semel.operation(policy(Recovery.HOLD), OutcomeCodec.text())
                            .run(KEY, Fingerprint.of(BODY), attempt -> {
                                throw new OutcomeUnknownException("secret", null);
                            }))
                    .isInstanceOf(OutcomeUnknownException.class);
        }

        assertThat(onlyLine()).isEqualTo("WARN event=unknown operation=charge key=" + KEY.digest());
    }

    @Test
    void runningWithoutProtectionIsOneLineThatSaysWhy() {
        ExternalPolicy open =
                Policy.external("charge").whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        try (Semel semel = Semel.builder(new DownStore())
                .patience(Duration.ZERO, Duration.ofMillis(1))
                .build()) {
            semel.operation(open, OutcomeCodec.text()).run(KEY, Fingerprint.of(BODY), attempt -> BODY);

            assertThat(lines.list.stream()
                            .map(LoggingTest::text)
                            .filter(line -> line.contains("event=unprotected"))
                            .toList())
                    .singleElement()
                    .asString()
                    .startsWith("ERROR event=unprotected operation=charge key=" + KEY.digest())
                    .endsWith("cause=\"StoreUnavailableException: no route to 'the' host\"")
                    .doesNotContain("\n");
        }
    }

    private String onlyLine() {
        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.get(0).getThrowableProxy()).isNull();
        return text(lines.list.get(0));
    }

    private static String text(ILoggingEvent event) {
        return event.getLevel() + " " + event.getFormattedMessage();
    }

    private Semel semel() {
        return Semel.builder(store).maintenanceInterval(Duration.ZERO).build();
    }

    private static ExternalPolicy policy(Recovery recovery) {
        return Policy.external("charge").recovery(recovery).build();
    }

    private static ClaimRequest request(boolean takeOver) {
        return ClaimRequest.builder(KEY, "charge", Fingerprint.of(BODY).forOperation("charge"))
                .lease(Duration.ofSeconds(30))
                .takeOver(takeOver)
                .build();
    }

    /** A key whose owner has died. */
    private void leaveBehind() {
        store.claim(request(false)).toCompletableFuture().join();
        now.updateAndGet(time -> time.plusSeconds(60));
    }

    /** A store that is down, and whose failures hold more than anybody should read. */
    private static final class DownStore implements KeyStore {

        private static <T> CompletionStage<T> down() {
            return CompletableFuture.failedStage(new StoreUnavailableException(
                    "no route to \"the\"\thost\n  Detail: Failing row contains (secret-key)", null));
        }

        @Override
        public CompletionStage<Claim> claim(ClaimRequest request) {
            return down();
        }

        @Override
        public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
            return down();
        }

        @Override
        public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
            return down();
        }

        @Override
        public CompletionStage<Boolean> release(Lease lease) {
            return down();
        }

        @Override
        public CompletionStage<Boolean> abandon(Lease lease) {
            return down();
        }

        @Override
        public void close() {}
    }
}
