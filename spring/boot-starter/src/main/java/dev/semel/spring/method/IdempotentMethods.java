package dev.semel.spring.method;

import dev.semel.OutcomeCodec;
import dev.semel.spring.Idempotent;
import dev.semel.spring.operation.Annotated;
import dev.semel.spring.operation.OperationRegistry;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Finds the methods of beans that are operations. Each is checked when its bean is created, so that mistakes are known
 * before the first call.
 */
public final class IdempotentMethods extends StaticMethodMatcherPointcut
        implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Set<String> LISTENERS = Set.of(
            "org.springframework.kafka.annotation.KafkaListener", "org.springframework.kafka.annotation.KafkaHandler");
    private static final Set<String> HANDLERS = Set.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    private final BeanFactory beans;
    /** A method that two classes inherit is an operation of each. */
    private final Map<MethodClassKey, MethodOperation> operations = new ConcurrentHashMap<>();

    private volatile boolean started;

    /** Other beans are looked up when they are needed: this one is made before them. */
    public IdempotentMethods(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return find(method, targetClass) != null
                && !isController(targetClass)
                && !isListener(AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass)));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
            boolean controller = isController(type);
            Set<Method> marked = MethodIntrospector.selectMethods(
                            type, (MethodIntrospector.MetadataLookup<@Nullable Idempotent>)
                                    method -> controller ? Annotated.own(method) : Annotated.ofBean(method, type))
                    .keySet();
            if (!controller && Annotated.ofClass(type) != null) {
                requireOperations(marked, type);
            }
            for (Method method : marked) {
                if (controller) {
                    requireHandler(method, type);
                } else if (isListener(method)) {
                    requireKnownListener(method, type);
                } else {
                    operation(method, type);
                }
            }
        }
        return bean;
    }

    MethodOperation operation(Method method, Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        Method specific = AopUtils.getMostSpecificMethod(method, userClass);
        MethodOperation known = operations.get(new MethodClassKey(specific, userClass));
        return known == null ? read(specific, userClass) : known;
    }

    private MethodOperation read(Method method, Class<?> type) {
        Idempotent idempotent = find(method, type);
        if (idempotent == null) {
            throw new IllegalStateException("there is no @Idempotent on " + method);
        }
        MethodOperation operation = beans.getBean(MethodOperations.class).read(method, type, idempotent);
        beans.getBean(OperationRegistry.class).add(operation.policy(), Policies.describe(method, type));
        if (started) {
            operation.bind();
        }
        operations.put(new MethodClassKey(method, type), operation);
        return operation;
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        operations.values().forEach(MethodOperation::bind);
    }

    /** How the outcomes of a method are read, by a name of its operation; {@code null} if no method has it. */
    public @Nullable OutcomeCodec<?> codec(String name) {
        return operations.values().stream()
                .filter(operation -> operation.policy().operation().equals(name)
                        || operation.policy().formerly().contains(name))
                .map(MethodOperation::codec)
                .findFirst()
                .orElse(null);
    }

    boolean anyInTransaction() {
        return operations.values().stream()
                .anyMatch(operation -> operation.transactions() != null
                        || (operation.joined() != null && operation.joined().isDeclared()));
    }

    private static @Nullable Idempotent find(Method method, Class<?> type) {
        return Annotated.ofBean(AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(type)), type);
    }

    /** A class must not say that it is guarded, and have nothing that is. */
    private static void requireOperations(Set<Method> marked, Class<?> type) {
        if (AnnotatedElementUtils.hasAnnotation(type, Configuration.class)) {
            throw new SemelConfigurationException(
                    "@Idempotent is on the configuration class " + type.getName() + ", whose methods make beans.",
                    "Annotate the classes or the methods of the beans.");
        }
        if (marked.stream().allMatch(method -> Annotated.own(method) != null)) {
            throw new SemelConfigurationException(
                    "@Idempotent on the class " + type.getName() + " guards nothing: it has no public method without an"
                            + " annotation of its own.",
                    "Make the methods public that happen once, or remove the annotation from the class.");
        }
    }

    /** Records are run under keys by {@code ListenerMethods}, where the application has Kafka. */
    public static boolean isListener(Method method) {
        return hasAny(LISTENERS, method);
    }

    /** Kafka listeners are found by the class that declares them. */
    private static void requireKnownListener(Method method, Class<?> type) {
        if (Annotated.ofBean(method, method.getDeclaringClass()) == null) {
            throw new SemelConfigurationException(
                    "@Idempotent on the class " + type.getName() + " does not reach the listener "
                            + Policies.describe(method, method.getDeclaringClass()) + ", which it inherits.",
                    "Annotate the listener itself.");
        }
    }

    /** In a controller, only requests run under keys. */
    private static void requireHandler(Method method, Class<?> type) {
        if (!hasAny(HANDLERS, method)) {
            throw new SemelConfigurationException(
                    "@Idempotent is on " + Policies.describe(method, type)
                            + ", a method of a controller that takes no requests.",
                    "Move the method to a bean that is no controller.");
        }
    }

    private static boolean hasAny(Set<String> names, Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY);
        return names.stream().anyMatch(annotations::isPresent);
    }

    static boolean isController(Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    }
}
