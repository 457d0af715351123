package dev.semel.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.torture.fault.FaultLog;
import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForgottenKeysTest {

    private static final Fingerprint BODY = Fingerprint.of("body");

    private final Sender sender = new Sender(
            (port, request, patience) -> CompletableFuture.failedFuture(new IOException("no one is there")),
            new TorturePlan(
                    Duration.ofSeconds(5),
                    StoreKind.POSTGRES,
                    Door.ENGINE,
                    FaultKind.parse("restore"),
                    1,
                    2,
                    10,
                    Duration.ofSeconds(1),
                    "semel",
                    Bug.NONE,
                    true),
            new RecoveryTimes(new FaultLog()));

    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger();
        ledger.countRequestsBy(() -> 1);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void judgesAKeyWhoseOutcomeIsInTheCopyAsBefore() {
        Story story = story("settled");
        story.settled(BODY);

        restore(System.nanoTime(), story);

        assertThat(sender.judgedKey(story)).isEqualTo(story.key());
        assertThat(story.settledAs()).isEqualTo(BODY);
        assertThat(story.hasEnded()).isTrue();
    }

    @Test
    void beginsAgainWithAKeyThatCameLater() {
        long copiedAt = System.nanoTime();
        Story story = story("later");
        story.settled(BODY);

        restore(copiedAt, story);

        assertThat(sender.judgedKey(story)).isNotEqualTo(story.key());
        assertThat(story.settledAs()).isNull();
        assertThat(story.hasEnded()).as("its client has to ask again").isFalse();
    }

    @Test
    void closesAKeyOfWhichNoClientKnowsWhetherTheCopyHasIt() {
        Story story = story("under way");
        long copiedAt = System.nanoTime();
        story.settled(BODY);

        restore(copiedAt, story);

        assertThat(sender.judgedKey(story)).isEqualTo(story.key());
        assertThat(story.settledAs()).isNull();
        assertThat(story.isOver()).isTrue();
    }

    @Test
    void aKeyIsInTheCopyIfOneOfItsStoriesSaysSo() {
        Story first = story("shared");
        first.settled(BODY);
        long copiedAt = System.nanoTime();
        Story second = story("shared");

        restore(copiedAt, first, second);

        assertThat(sender.judgedKey(second)).isEqualTo(second.key());
        assertThat(second.isOver()).isFalse();
    }

    private void restore(long copiedAt, Story... stories) {
        new ForgottenKeys(() -> List.of(stories), sender, ledger).since(copiedAt);
    }

    private static Story story(String key) {
        return new Story(Operation.HOLD, Key.of("alice", key), "body", 0, Behaviour.SUCCEED, false);
    }
}
