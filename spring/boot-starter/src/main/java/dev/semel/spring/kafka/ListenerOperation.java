package dev.semel.spring.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.TransactionRunner;
import dev.semel.http.Fields;
import dev.semel.jackson.Json;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.policy.Policy;
import dev.semel.spring.operation.HeaderValues;
import dev.semel.spring.operation.KeyText;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;

/**
 * A Kafka listener that acts once on each record.
 *
 * @param recordAt the index of the parameter that takes the record
 * @param attemptAt the index of the parameter that takes the attempt, or -1
 * @param key the expression for a record's key; {@code null} for its topic, partition and offset
 * @param scope the scope of the keys; {@code null} for the consumer group
 * @param transactions begins the transaction that the outcome is stored in; {@code null} in the external mode
 */
record ListenerOperation(
        Method method,
        int recordAt,
        int attemptAt,
        Policy policy,
        Namespace namespace,
        @Nullable Expression key,
        @Nullable Expression scope,
        Fields fields,
        Json json,
        @Nullable TransactionRunner<Connection> transactions) {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    ConsumerRecord<?, ?> record(@Nullable Object[] arguments) {
        if (arguments[recordAt] instanceof ConsumerRecord<?, ?> record) {
            return record;
        }
        throw new IllegalArgumentException(
                "operation " + policy.operation() + " was called without a record; only its container may call it");
    }

    /**
     * The key of a record, which is refused if it has none.
     *
     * @param group the consumer group
     */
    Key key(@Nullable Object[] arguments, String group) {
        if (key == null && scope == null) {
            return position(record(arguments), group);
        }
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(new Object(), method, arguments, NAMES);
        Headers headers = record(arguments).headers();
        context.setVariable("header", new HeaderValues(name -> header(headers, name)));
        String caller = scope == null ? group : evaluate(scope, context, "scope");
        return key == null
                ? position(record(arguments), caller)
                : namespace.key(caller, natural(evaluate(key, context, "idempotency key")));
    }

    /** Other listeners of the group may know something else by the same name. */
    String natural(String value) {
        return Key.naturalValue(policy.identity(), value);
    }

    /** The key of a record that has no other name than its place. */
    Key position(ConsumerRecord<?, ?> record, String caller) {
        // No topic has an @ in its name.
        String position = record.topic() + "-" + record.partition() + "@" + record.offset();
        return namespace.key(
                caller, position.length() <= Key.MAX_LENGTH ? position : Key.deterministicValue("kafka", position));
    }

    private static String evaluate(Expression expression, MethodBasedEvaluationContext context, String what) {
        String text;
        try {
            text = KeyText.of(expression.getValue(context), expression);
        } catch (RuntimeException e) {
            throw new MessageRejectedException(
                    "the record has no usable " + what + ", " + expression.getExpressionString() + ": " + e, e);
        }
        if (text.isEmpty()) {
            throw new MessageRejectedException(
                    "the record has no " + what + ", " + expression.getExpressionString(), null);
        }
        return text;
    }

    /**
     * The fingerprint of a record. If a place holds another record than before, the topic was recreated: time and sizes
     * show that, however the record is deserialised. Until version 2, a place had the same fingerprint forever.
     */
    Fingerprint fingerprint(ConsumerRecord<?, ?> record) {
        if (key == null) {
            ByteBuffer facts = ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES)
                    .putLong(record.timestamp())
                    .putInt(record.serializedKeySize())
                    .putInt(record.serializedValueSize());
            return Fingerprint.of(2, facts.array());
        }
        Map<String, @Nullable Object> input = new LinkedHashMap<>();
        input.put("key", record.key());
        input.put("value", record.value());
        return fields.fingerprint(policy.identity(), json.write(input, Map.class));
    }

    private static @Nullable String header(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
