package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A gate whose rules are found by request can still know all of them from the start. */
class KnownRulesTest {

    private static final Key KEY = Key.of("alice", "k");

    private final InMemoryKeyStore store = InMemoryKeyStore.create();
    private final Semel semel =
            Semel.builder(store).maintenanceInterval(Duration.ofMillis(20)).build();
    private final HttpRules charge = HttpRules.of(Policy.external("charge").build());
    private final HttpRules refund = HttpRules.of(Policy.external("refund").build());
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(HttpGate.class);

    @BeforeEach
    void watchTheLog() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
        semel.close();
        store.close();
    }

    @Test
    void resolvesALapsedKeyBeforeTheFirstRequest() {
        lapse("refund");

        HttpGate.builder(semel).rules(charge, refund).build();

        await().atMost(Duration.ofSeconds(30)).until(() -> record().state() == KeyState.UNKNOWN);
    }

    @Test
    void findsMistakesWhenItIsBuilt() {
        HttpRules accepting = HttpRules.of(
                Policy.external("accepting").duplicates(Duplicates.accepted()).build());
        HttpGate.Builder withoutStatus = HttpGate.builder(semel).rules(charge).rules(accepting);

        assertThatThrownBy(withoutStatus::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("accepting");
    }

    @Test
    void warnsOnceOfRulesThatItLearnsFromARequest() {
        HttpGate gate = HttpGate.builder(semel).rules(charge).build();
        RequestHead request = RequestHead.of("POST", "/", null, name -> List.of());

        gate.admit(request, charge);
        assertThat(logged.list).isEmpty();
        gate.admit(request, refund);
        gate.admit(request, refund);
        assertThat(logged.list).singleElement().asString().contains("refund", "HttpGate.builder(...).rules(...)");
    }

    /** As a process that has died leaves it behind. */
    private void lapse(String operation) {
        store.claim(ClaimRequest.builder(KEY, operation, Fingerprint.of("x"))
                        .lease(Duration.ofMillis(1))
                        .build())
                .toCompletableFuture()
                .join();
        await().until(() -> record().state() == KeyState.LAPSED);
    }

    private KeyRecord record() {
        return semel.find(KEY).toCompletableFuture().join().orElseThrow();
    }
}
