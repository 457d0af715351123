/** A RabbitMQ consumer that acts once on each message. */
module dev.semel.rabbitmq {
    requires org.slf4j;
    requires transitive com.rabbitmq.client;
    requires transitive dev.semel.messaging;
    requires static transitive dev.semel.outbox;
    requires static org.jspecify;

    exports dev.semel.rabbitmq;
}
