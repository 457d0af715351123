package dev.semel.spring.kafka;

import dev.semel.SemelClosedException;
import dev.semel.util.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BackOffHandler;
import org.springframework.kafka.listener.DefaultBackOffHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Waits before a record is delivered again. Only the record's partition is paused, so that those of other partitions do
 * not wait with it. A container whose engine is closed is stopped.
 */
final class PartitionPauses implements BackOffHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionPauses.class);

    private final BackOffHandler sleep = new DefaultBackOffHandler();

    @Override
    public void onNextBackOff(@Nullable MessageListenerContainer container, @Nullable Exception failure, long pause) {
        if (container == null) {
            sleep.onNextBackOff(container, failure, pause);
            return;
        }
        if (Failures.find(failure, SemelClosedException.class).isPresent()) {
            LOG.error(
                    "the container of listener {} stops: its records cannot be offered to their keys",
                    container.getListenerId(),
                    failure);
            container.stopAbnormally(() -> {});
            return;
        }
        TopicPartition partition = Failures.find(failure, RecordNotSettledException.class)
                .map(RecordNotSettledException::partition)
                .orElse(null);
        if (partition == null) {
            sleep.onNextBackOff(container, failure, pause);
        } else if (!container.isPartitionPauseRequested(partition)) {
            container.pausePartition(partition);
            CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS)
                    .execute(() -> container.resumePartition(partition));
        }
    }
}
