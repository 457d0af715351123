package dev.semel.sqs;

import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Makes message attributes. */
final class Attributes {

    private Attributes() {}

    static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(value)
                .build();
    }
}
