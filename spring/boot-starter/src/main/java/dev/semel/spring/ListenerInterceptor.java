package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.Verdict;
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

/** Runs listeners of Kafka under the keys of their records, and tells the container what is to become of a record. */
final class ListenerInterceptor implements MethodInterceptor {

    private final ListenerMethods methods;
    private final Supplier<Semel> semel;
    private final Map<Method, MessageGuard<ProxyMethodInvocation>> guards = new ConcurrentHashMap<>();

    /** What listeners have rejected and is not stored yet: such a record is delivered again, and must not run again. */
    private final Map<Place, Rejection> rejections = new ConcurrentHashMap<>();

    private record Place(Method method, String group, TopicPartition partition) {}

    private record Rejection(long offset, MessageRejectedException why) {}

    ListenerInterceptor(ListenerMethods methods, Supplier<Semel> semel) {
        this.methods = methods;
        this.semel = semel;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
        Object target = proxied.getThis();
        ListenerOperation operation = methods.operation(
                proxied.getMethod(), target == null ? proxied.getMethod().getDeclaringClass() : target.getClass());
        MessageGuard<ProxyMethodInvocation> guard = guard(operation);
        ConsumerRecord<?, ?> record = operation.record(proxied.getArguments());
        String group = KafkaUtils.getConsumerGroupId();
        if (group == null) {
            throw new IllegalStateException(
                    "operation " + operation.policy().operation() + " was not called by the container of its listener");
        }
        Place place = new Place(operation.method(), group, new TopicPartition(record.topic(), record.partition()));
        Rejection earlier = rejections.get(place);
        MessageRejectedException rejection =
                earlier != null && earlier.offset() == record.offset() ? earlier.why() : null;
        Key key;
        try {
            key = operation.key(proxied.getArguments(), group);
        } catch (MessageRejectedException e) {
            key = operation.position(record, group);
            rejection = e;
        }
        Verdict verdict = offer(guard, key, operation.fingerprint(record), proxied, rejection);
        while (verdict instanceof Verdict.Again again) {
            rejection = again.rejection() == null ? rejection : again.rejection();
            if (!again.atMost().isZero()) {
                break;
            }
            verdict = offer(guard, key, operation.fingerprint(record), proxied, rejection);
        }
        if (verdict instanceof Verdict.Again && rejection != null) {
            rejections.put(place, new Rejection(record.offset(), rejection));
        } else {
            rejections.remove(place);
        }
        obey(operation, key, verdict);
        return null;
    }

    private static Verdict offer(
            MessageGuard<ProxyMethodInvocation> guard,
            Key key,
            Fingerprint fingerprint,
            ProxyMethodInvocation invocation,
            @Nullable MessageRejectedException rejection) {
        return rejection == null
                ? guard.offerHere(key, fingerprint, invocation)
                : guard.reject(key, fingerprint, rejection)
                        .toCompletableFuture()
                        .join();
    }

    private static void obey(ListenerOperation operation, Key key, Verdict verdict) {
        if (verdict instanceof Verdict.Dead dead) {
            throw new DeadRecordException(operation.policy().operation(), key.digest(), dead);
        }
        if (verdict instanceof Verdict.Again again) {
            throw new RecordNotSettledException(operation.policy().operation(), again);
        }
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
                ? Handling.blocking((invocation, attempt) -> proceed(operation, invocation, attempt))
                : Handling.in(
                        operation.transactions(),
                        (invocation, attempt, transaction) -> proceed(operation, invocation, attempt));
        return new MessageGuard<>(semel.get(), operation.policy(), handling, Runnable::run, 0, true);
    }

    private static void proceed(ListenerOperation operation, ProxyMethodInvocation invocation, Attempt attempt)
            throws Exception {
        try {
            // A clone, since a message is offered again on the same invocation.
            invocation
                    .invocableClone(operation.withAttempt(invocation.getArguments(), attempt))
                    .proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the listener threw what is neither an exception nor an error", e);
        }
    }
}
