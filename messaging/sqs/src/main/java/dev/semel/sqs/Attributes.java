package dev.semel.sqs;

import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Makes message attributes. */
final class Attributes {

    /** The most that SQS takes. */
    static final int MAX = 10;

    private Attributes() {}

    static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(value)
                .build();
    }
}
