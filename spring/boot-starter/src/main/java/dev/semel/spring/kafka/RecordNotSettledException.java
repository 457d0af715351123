package dev.semel.spring.kafka;

import dev.semel.SemelException;
import dev.semel.messaging.MessageVerdict;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Makes the container of a listener deliver a record again, because its key is not settled yet. */
final class RecordNotSettledException extends SemelException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable TopicPartition partition;

    RecordNotSettledException(String operation, TopicPartition partition, MessageVerdict.Again again) {
        super("the record is to be offered to " + operation + " again: " + again.cause(), again.failure());
        this.partition = partition;
    }

    /** The partition of the record, which is paused meanwhile. */
    @Nullable
    TopicPartition partition() {
        return partition;
    }
}
