package dev.semel.torture.broker;

import dev.semel.Fingerprint;

/** The consumers of a node, one for each queue. */
public interface Consumers extends AutoCloseable {

    /** Starts those for the broker that this door names. */
    static Consumers start(String door, String address, MessageService service) throws Exception {
        return switch (door) {
            case "kafka" -> KafkaConsumers.start(address, service);
            case "sqs" -> SqsConsumers.start(address, service);
            case "rabbitmq" -> RabbitConsumers.start(address, service);
            default -> throw new IllegalArgumentException("there is no broker " + door);
        };
    }

    /** What a consumer compares messages of one key by: in Kafka the record's own key too, which these records do not have. */
    static Fingerprint fingerprint(String door, byte[] body) {
        byte[] absent = {0};
        byte[] present = {1};
        return door.equals("kafka") ? Fingerprint.of(1, absent, new byte[0], present, body) : Fingerprint.of(1, body);
    }

    @Override
    void close() throws Exception;
}
