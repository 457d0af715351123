package dev.semel.spring.kafka;

import dev.semel.Attempt;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.spring.Idempotent;
import dev.semel.spring.method.IdempotentMethods;
import dev.semel.spring.method.MethodChecks;
import dev.semel.spring.method.MethodOperations;
import dev.semel.spring.operation.Annotated;
import dev.semel.spring.operation.OperationRegistry;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.util.ClassUtils;

/**
 * Finds the idempotent Kafka listeners. Each is checked when it is found, so that mistakes are known before the first
 * record, and its container is passed to {@link ListenerContainers}.
 */
final class ListenerMethods extends StaticMethodMatcherPointcut implements AnnotationEnhancer {

    private static final String POST_PROCESSOR = "containerPostProcessor";

    private final BeanFactory beans;
    private final Map<Method, ListenerOperation> operations = new ConcurrentHashMap<>();

    /** Other beans are looked up when they are needed: this one is made before them. */
    ListenerMethods(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass));
        return isIdempotent(specific) && IdempotentMethods.isListener(specific);
    }

    private static boolean isIdempotent(Method method) {
        return Annotated.ofBean(method, method.getDeclaringClass()) != null;
    }

    /** Registers every listener, by the method or by the class with the handlers. */
    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
        Set<Method> methods = element instanceof Class<?> type
                ? MethodIntrospector.selectMethods(type, (MetadataLookup<Boolean>)
                                method -> (isIdempotent(method) && IdempotentMethods.isListener(method)) ? true : null)
                        .keySet()
                : element instanceof Method method && isIdempotent(method) ? Set.of(method) : Set.of();
        if (methods.isEmpty()) {
            return attributes;
        }
        methods.forEach(method -> operation(method, method.getDeclaringClass()));
        if (!"".equals(attributes.get(POST_PROCESSOR))) {
            throw new SemelConfigurationException(
                    "@KafkaListener on " + element + " names a containerPostProcessor, and @Idempotent needs its own.",
                    "Configure the container in its factory instead.");
        }
        Map<String, Object> changed = new HashMap<>(attributes);
        changed.put(POST_PROCESSOR, ListenerContainers.BEAN);
        return changed;
    }

    ListenerOperation operation(Method method, Class<?> type) {
        Method specific = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(type));
        return operations.computeIfAbsent(specific, found -> read(found, type));
    }

    Collection<ListenerOperation> operations() {
        return operations.values();
    }

    private ListenerOperation read(Method method, Class<?> type) {
        String place = Policies.describe(method, type);
        Idempotent idempotent = Annotated.ofBean(method, method.getDeclaringClass());
        if (idempotent == null) {
            throw new IllegalStateException("there is no @Idempotent on " + method);
        }
        MethodChecks.requireInterceptable(method, place);
        MethodChecks.requireNoRequest(idempotent, place);
        requireListenable(method, idempotent, place);
        MethodOperations operationReader = beans.getBean(MethodOperations.class);
        Policy policy = operationReader.policies().policy(method, type, idempotent);
        beans.getBean(OperationRegistry.class).add(policy, place);
        List<Class<?>> parameters = List.of(method.getParameterTypes());
        return new ListenerOperation(
                method,
                parameters.indexOf(ConsumerRecord.class),
                parameters.indexOf(Attempt.class),
                policy,
                operationReader.namespace(),
                operationReader.expression(idempotent.key(), place),
                operationReader.expression(idempotent.scope(), place),
                operationReader.policies().fields(idempotent),
                operationReader.json(),
                policy.mode() == Mode.EXTERNAL
                        ? null
                        : operationReader.transactions().of(method, type));
    }

    private static void requireListenable(Method method, Idempotent idempotent, String place) {
        if (!List.of(method.getParameterTypes()).contains(ConsumerRecord.class)) {
            throw new SemelConfigurationException(
                    "@Idempotent is on the listener " + place + ", which takes no ConsumerRecord, so that the place and"
                            + " the content of a record are not known.",
                    "Add a parameter of type ConsumerRecord; listeners of whole batches cannot act once on each record.");
        }
        if (method.getReturnType() != void.class) {
            throw new SemelConfigurationException(
                    "@Idempotent is on the listener " + place + ", which returns a value: after a crash, a reply could"
                            + " be lost although the record was handled.",
                    "Return nothing, and send the reply inside the method, or through the outbox.");
        }
        if (AnnotatedElementUtils.isAnnotated(method, "org.springframework.kafka.annotation.RetryableTopic")) {
            throw new SemelConfigurationException(
                    "@Idempotent and @RetryableTopic are both on " + place + ", and both control retries.",
                    "Remove @RetryableTopic: a record is tried again until its key is settled.");
        }
        if (!idempotent.waitFor().isEmpty() || idempotent.skipInFlight()) {
            throw new SemelConfigurationException(
                    "@Idempotent on the listener " + place + " says waitFor or skipInFlight.",
                    "Remove it: a record whose key is in flight elsewhere is delivered again until the key is settled.");
        }
    }
}
