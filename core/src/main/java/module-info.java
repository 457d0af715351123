/** The engine, the interfaces for stores, and an in-memory store. */
@SuppressWarnings("module") // Those that a package is exported to are compiled later.
module dev.semel.core {
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.semel;
    exports dev.semel.changeover;
    exports dev.semel.erasure;
    exports dev.semel.memory;
    exports dev.semel.observe;
    exports dev.semel.policy;
    exports dev.semel.sealing;
    exports dev.semel.spi;
    exports dev.semel.spi.life;
    exports dev.semel.store;
    exports dev.semel.util to
            dev.semel.dynamodb,
            dev.semel.gateway,
            dev.semel.http,
            dev.semel.jdbc,
            dev.semel.kafka,
            dev.semel.messaging,
            dev.semel.outbox,
            dev.semel.quarkus,
            dev.semel.rabbitmq,
            dev.semel.redis,
            dev.semel.rest,
            dev.semel.servlet,
            dev.semel.spring,
            dev.semel.sqs,
            dev.semel.testkit,
            dev.semel.torture;
}
