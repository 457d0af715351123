package dev.semel.spring.kafka;

import dev.semel.messaging.PassingFailures;
import dev.semel.spring.DeadRecordException;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRecordRecoverer;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.ExponentialBackOff;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Configures the container of an idempotent listener so that it only commits settled records: an unsettled record is
 * delivered again for as long as it takes, and a dead one goes to the dead letters.
 *
 * @param buried runs when a record is among the dead letters
 */
record ListenerContainers(Supplier<ConsumerRecordRecoverer> deadLetters, Consumer<DeadRecordException> buried)
        implements ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> {

    static final String BEAN = "semelListenerContainers";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    /** The thread that polls may sleep for so long, which must be shorter than {@code max.poll.interval.ms}. */
    private static final Duration LAST_PAUSE = Duration.ofSeconds(10);

    @Override
    public void postProcess(AbstractMessageListenerContainer<Object, Object> container) {
        ContainerProperties properties = container.getContainerProperties();
        ContainerProperties.AckMode mode = properties.getAckMode();
        if (mode == ContainerProperties.AckMode.MANUAL || mode == ContainerProperties.AckMode.MANUAL_IMMEDIATE) {
            throw new SemelConfigurationException(
                    "The listener " + container.getListenerId() + " is @Idempotent and acknowledges by hand (" + mode
                            + "): a record that is skipped would never be acknowledged.",
                    "Leave that to the container: set spring.kafka.listener.ack-mode to batch or record.");
        }
        properties.getKafkaConsumerProperties().setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
        pauses.setMaxInterval(LAST_PAUSE.toMillis());
        ConsumerRecordRecoverer dead = noting(deadLetters.get());
        PartitionPauses waiting = new PartitionPauses();
        DefaultErrorHandler errors = new DefaultErrorHandler(dead, pauses, waiting);
        classify(errors);
        errors.setBackOffFunction(ListenerContainers::pausesAfter);
        // In a Kafka transaction, a record is rolled back first, and what to do with it is decided afterwards.
        container.setCommonErrorHandler(properties.getKafkaAwareTransactionManager() == null ? errors : null);
        DefaultAfterRollbackProcessor<Object, Object> rollbacks =
                new DefaultAfterRollbackProcessor<>(dead, pauses, waiting, null, false);
        classify(rollbacks);
        rollbacks.setBackOffFunction(ListenerContainers::pausesAfter);
        container.setAfterRollbackProcessor(rollbacks);
    }

    /** Only the converted failure of a listener counts, because Spring Kafka treats some causes as fatal. */
    private static void classify(ExceptionClassifier failures) {
        failures.addNotRetryableExceptions(DeadRecordException.class);
        failures.addRetryableExceptions(RecordNotSettledException.class);
        failures.removeClassification(DeserializationException.class);
    }

    /** A record that cannot be read is dead, unless its deserialiser could not reach another system. */
    private static @Nullable BackOff pausesAfter(ConsumerRecord<?, ?> record, Exception failure) {
        return Failures.find(failure, DeserializationException.class).isEmpty()
                        || PassingFailures.include(failure, List.of(RetriableException.class))
                ? null
                : new FixedBackOff(0, 0);
    }

    /** The same dead letters, and the listener gets them too. */
    private ConsumerAwareRecordRecoverer noting(ConsumerRecordRecoverer deadLetters) {
        return (record, consumer, failure) -> {
            if (deadLetters instanceof ConsumerAwareRecordRecoverer aware) {
                aware.accept(record, consumer, failure);
            } else {
                deadLetters.accept(record, failure);
            }
            Failures.find(failure, DeadRecordException.class).ifPresent(buried);
        };
    }
}
