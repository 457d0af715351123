package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits that are answered late. A real broker cannot be made to answer at a given moment of a rebalance. */
class AssignmentTest {

    private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

    private final Semel semel =
            Semel.builder(InMemoryKeyStore.builder().build()).build();
    private final SlowCommits consumer = new SlowCommits();
    private final Assignment<String, String> assignment = new Assignment<>(
            consumer,
            new LaneRules<>(
                    MessageGuard.builder(
                                    semel,
                                    Policy.external("ship").build(),
                                    Handling.<ConsumerRecord<String, String>>blocking((record, attempt) -> {}))
                            .deadLetterUnknown()
                            .build(),
                    letter -> CompletableFuture.failedStage(new AssertionError("a dead letter")),
                    "ship",
                    true,
                    8,
                    Group.BACKOFF,
                    Runnable::run,
                    failure -> {
                        throw new AssertionError(failure);
                    }),
            Duration.ZERO);

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void aCommitThatFailedIsSentAgain() {
        assignment.onPartitionsAssigned(List.of(PARTITION));
        assignment.add(PARTITION, List.of(entry()));
        assignment.commit();
        consumer.failCommit();

        assignment.commit();

        assertThat(consumer.sent)
                .hasSize(2)
                .allMatch(offsets -> offsets.get(PARTITION).offset() == 1);
    }

    @Test
    void aCommitThatFailedIsForgottenWhenThePartitionWasAway() {
        assignment.onPartitionsAssigned(List.of(PARTITION));
        assignment.add(PARTITION, List.of(entry()));
        assignment.commit();
        assignment.onPartitionsLost(List.of(PARTITION));
        assignment.onPartitionsAssigned(List.of(PARTITION));
        consumer.failCommit();

        assignment.commit();

        assertThat(consumer.sent).hasSize(1);
    }

    private static PendingRecord<String, String> entry() {
        ReadResult<String, String> read = new ReadResult.Read<>(
                Key.of("assignment", "a"), Fingerprint.of("a"), new ConsumerRecord<>("topic", 0, 0, "", "a"));
        return new PendingRecord<>(new ConsumerRecord<>("topic", 0, 0, new byte[0], new byte[0]), read, () -> read);
    }

    private static final class SlowCommits extends MockConsumer<byte[], byte[]> {

        private final List<Map<TopicPartition, OffsetAndMetadata>> sent = new ArrayList<>();
        private OffsetCommitCallback callback = (offsets, failure) -> {};

        private SlowCommits() {
            super("earliest");
        }

        @Override
        public synchronized void commitAsync(
                Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            sent.add(Map.copyOf(offsets));
            this.callback = callback;
        }

        private void failCommit() {
            callback.onComplete(sent.get(sent.size() - 1), new RetriableCommitFailedException("not now"));
        }
    }
}
