/** An SQS consumer that acts once on each message. */
module dev.semel.sqs {
    requires org.slf4j;
    requires software.amazon.awssdk.core;
    requires transitive dev.semel.messaging;
    requires transitive software.amazon.awssdk.services.sqs;
    requires static transitive dev.semel.outbox;
    requires static org.jspecify;

    exports dev.semel.sqs;
}
