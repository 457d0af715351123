package dev.semel.dynamodb;

import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attribute values. */
final class Values {

    private Values() {}

    static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    static AttributeValue bytes(byte[] bytes) {
        return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
    }

    static AttributeValue get(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        if (value == null) {
            throw new IllegalArgumentException("the item of a key lacks its attribute " + attribute);
        }
        return value;
    }

    static long number(Map<String, AttributeValue> item, String attribute) {
        return Long.parseLong(get(item, attribute).n());
    }
}
