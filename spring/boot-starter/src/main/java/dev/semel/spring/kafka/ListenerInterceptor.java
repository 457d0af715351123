package dev.semel.spring.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.MessageVerdict;
import dev.semel.spring.DeadRecordException;
import dev.semel.spring.method.InterceptedCall;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.kafka.support.KafkaUtils;

/** Runs Kafka listeners under the keys of their records, and tells the container what to do with a record. */
final class ListenerInterceptor implements MethodInterceptor {

    private final ListenerMethods methods;
    private final Supplier<Semel> semel;
    private final Map<Method, MessageGuard<ProxyMethodInvocation>> guards = new ConcurrentHashMap<>();

    /** The dead records that are not among the dead letters yet: they are delivered again, and must not run again. */
    private final Map<Place, DeadRecordException> deaths = new ConcurrentHashMap<>();

    private record Place(Method method, String group, TopicPartition partition, long offset) {}

    ListenerInterceptor(ListenerMethods methods, Supplier<Semel> semel) {
        this.methods = methods;
        this.semel = semel;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
        ListenerOperation operation = methods.operation(proxied.getMethod(), InterceptedCall.targetClass(proxied));
        ConsumerRecord<?, ?> record = operation.record(proxied.getArguments());
        String group = KafkaUtils.getConsumerGroupId();
        if (group == null) {
            throw new IllegalStateException(
                    "operation " + operation.policy().operation() + " was not called by the container of its listener");
        }
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Place place = new Place(operation.method(), group, partition, record.offset());
        DeadRecordException death = deaths.get(place);
        if (death != null) {
            throw death;
        }
        offer(operation, record, group, proxied, place);
        return null;
    }

    private void offer(
            ListenerOperation operation,
            ConsumerRecord<?, ?> record,
            String group,
            ProxyMethodInvocation invocation,
            Place place) {
        MessageGuard<ProxyMethodInvocation> guard = guard(operation);
        Fingerprint fingerprint = operation.fingerprint(record);
        Key key;
        Supplier<MessageVerdict> offer;
        try {
            Key found = operation.key(invocation.getArguments(), group);
            key = found;
            offer = () -> guard.offerHere(found, fingerprint, invocation);
        } catch (MessageRejectedException e) {
            Key position = operation.position(record, group);
            key = position;
            offer = () -> MessageGuard.join(guard.unreadable(position, fingerprint, e));
        }
        MessageVerdict verdict = offer.get();
        while (verdict instanceof MessageVerdict.Again again && again.atMost().isZero()) {
            verdict = offer.get();
        }
        if (verdict instanceof MessageVerdict.Dead dead) {
            DeadRecordException death =
                    new DeadRecordException(operation.policy().operation(), key.digest(), dead);
            deaths.put(place, death);
            throw death;
        }
        if (verdict instanceof MessageVerdict.Again again) {
            throw new RecordNotSettledException(operation.policy().operation(), place.partition(), again);
        }
    }

    /** Notes that a record is among the dead letters. */
    void forget(DeadRecordException death) {
        deaths.values().remove(death);
    }

    /** Makes the operations known to the engine, which may find keys of theirs that lapsed before the first record. */
    void begin() {
        methods.operations().forEach(this::guard);
    }

    private MessageGuard<ProxyMethodInvocation> guard(ListenerOperation operation) {
        return guards.computeIfAbsent(operation.method(), method -> newGuard(operation));
    }

    private MessageGuard<ProxyMethodInvocation> newGuard(ListenerOperation operation) {
        Handling<ProxyMethodInvocation> handling = operation.transactions() == null
                ? Handling.blocking(
                        (invocation, attempt) -> InterceptedCall.proceed(invocation, operation.attemptAt(), attempt))
                : Handling.in(
                        operation.transactions(),
                        (invocation, attempt, transaction) ->
                                InterceptedCall.proceed(invocation, operation.attemptAt(), attempt));
        return MessageGuard.builder(semel.get(), operation.policy(), handling).build();
    }
}
