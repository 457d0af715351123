package dev.semel.spring.kafka;

import dev.semel.Attempt;
import dev.semel.Semel;
import dev.semel.spring.DeadRecordException;
import dev.semel.spring.autoconfigure.SemelAutoConfiguration;
import dev.semel.spring.method.IdempotentInterceptor;
import dev.semel.spring.method.TransactionConfiguration;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.util.Failures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.MethodParameter;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/** Listeners of Spring Kafka that act once on each record. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.kafka.annotation.KafkaListener")
class KafkaListenerAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ListenerMethods semelListenerMethods(BeanFactory beans) {
        return new ListenerMethods(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ListenerInterceptor semelListenerInterceptor(ListenerMethods methods, BeanFactory beans) {
        return new ListenerInterceptor(methods, () -> beans.getBean(Semel.class));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor semelListenerAdvisor(ListenerMethods methods, ListenerInterceptor interceptor) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(methods, interceptor);
        advisor.setOrder(IdempotentInterceptor.ADVISOR_ORDER);
        return advisor;
    }

    @Bean(ListenerContainers.BEAN)
    static ListenerContainers semelListenerContainers(ListenerInterceptor interceptor, BeanFactory beans) {
        return new ListenerContainers(() -> deadLetters(beans), interceptor::forget);
    }

    private static ConsumerRecordRecoverer deadLetters(BeanFactory beans) {
        ObjectProvider<ConsumerRecordRecoverer> recoverers = beans.getBeanProvider(ConsumerRecordRecoverer.class);
        ConsumerRecordRecoverer own = recoverers.getIfUnique();
        if (own != null) {
            return own;
        }
        if (recoverers.stream().findAny().isPresent()) {
            throw new SemelConfigurationException(
                    "There is more than one ConsumerRecordRecoverer that could take the dead letters of @Idempotent listeners.",
                    "Mark one as @Primary.");
        }
        KafkaOperations<?, ?> template =
                beans.getBeanProvider(KafkaOperations.class).getIfUnique();
        if (template == null) {
            throw new SemelConfigurationException(
                    "A @KafkaListener is @Idempotent, but there is nothing to send dead letters with.",
                    "Define a bean of type KafkaTemplate, as Spring Boot does, or a ConsumerRecordRecoverer. Of several,"
                            + " mark one as @Primary.");
        }
        DeadLetterPublishingRecoverer recoverer = new DeadLetterPublishingRecoverer(template);
        recoverer.addHeadersFunction(KafkaListenerAutoConfiguration::reason);
        return recoverer;
    }

    private static Headers reason(ConsumerRecord<?, ?> record, Exception failure) {
        Headers headers = new RecordHeaders();
        Failures.find(failure, DeadRecordException.class).ifPresent(dead -> {
            put(headers, "semel-reason", dead.reason().name());
            put(headers, "semel-exception", dead.type());
            put(headers, "semel-message", String.valueOf(dead.getMessage()));
            put(headers, "semel-operation", dead.operation());
            put(headers, "semel-key", dead.digest());
        });
        return headers;
    }

    private static void put(Headers headers, String name, String value) {
        headers.add(new DeadLetterPublishingRecoverer.SingleRecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
    }

    /** Prepares listeners before the first record, like the methods of other beans before the first call. */
    @Bean
    static SmartInitializingSingleton semelListenersBegin(
            ListenerMethods methods, ListenerInterceptor interceptor, BeanFactory beans) {
        return () -> {
            interceptor.begin();
            if (methods.operations().stream().anyMatch(operation -> operation.transactions() != null)) {
                TransactionConfiguration.requireInside(
                        beans.getBeanProvider(BeanFactoryTransactionAttributeSourceAdvisor.class));
            }
        };
    }

    /** The container has no attempt to give; the advice around the method has. */
    @Bean
    static KafkaListenerConfigurer semelAttemptParameters() {
        HandlerMethodArgumentResolver attempts = new HandlerMethodArgumentResolver() {
            @Override
            public boolean supportsParameter(MethodParameter parameter) {
                return parameter.getParameterType() == Attempt.class;
            }

            @Override
            public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
                return null;
            }
        };
        return registrar -> {
            List<HandlerMethodArgumentResolver> all = new ArrayList<>(registrar.getCustomMethodArgumentResolvers());
            all.add(attempts);
            registrar.setCustomMethodArgumentResolvers(all.toArray(HandlerMethodArgumentResolver[]::new));
        };
    }
}
