package dev.semel.spring.autoconfigure;

import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpListener;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.jackson.Json;
import dev.semel.observe.SemelListener;
import dev.semel.observe.Tracing;
import dev.semel.policy.Reconciler;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Reconciles;
import dev.semel.spring.json.JsonConfiguration;
import dev.semel.spring.method.IdempotentInterceptor;
import dev.semel.spring.method.IdempotentMethods;
import dev.semel.spring.method.MethodOperations;
import dev.semel.spring.method.TransactionConfiguration;
import dev.semel.spring.operation.OperationRegistry;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import dev.semel.spring.transaction.MethodTransactions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/** The engine, and the interceptor that runs methods of beans under keys. */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration"
        })
@EnableConfigurationProperties(SemelProperties.class)
@Import({AutoProxying.class, JsonConfiguration.class, TransactionConfiguration.class})
public class SemelAutoConfiguration {

    private static final String EXECUTOR = "applicationTaskExecutor";

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Semel semel(
            KeyStore store,
            SemelProperties properties,
            ObjectProvider<SemelListener> listeners,
            ObjectProvider<Tracing> tracing,
            ConfigurableListableBeanFactory beans) {
        Semel.Builder semel = Semel.builder(store)
                .storeTimeout(properties.storeTimeout())
                .patience(properties.claimPatience(), properties.settlePatience())
                .maxWaiting(properties.maxWaiting())
                .shutdownGrace(properties.shutdownGrace())
                .maintenanceInterval(properties.maintenanceInterval());
        listeners.orderedStream().forEach(semel::listener);
        tracing.ifUnique(semel::tracing);
        if (beans.containsBean(EXECUTOR)) {
            // Its threads know the application's class loader, and whatever context it hands on.
            semel.executor(beans.getBean(EXECUTOR, Executor.class));
        }
        // Asked for when it is needed: a reconciler may itself need beans that need the engine.
        reconcilers(beans)
                .forEach((operation, bean) -> semel.reconciler(
                        operation,
                        lapsed -> beans.getBean(bean, Reconciler.class).reconcile(lapsed)));
        return semel.build();
    }

    private static Map<String, String> reconcilers(ConfigurableListableBeanFactory beans) {
        Map<String, String> byOperation = new HashMap<>();
        for (String bean : beans.getBeanNamesForType(Reconciler.class, true, false)) {
            Reconciles reconciles = beans.findAnnotationOnBean(bean, Reconciles.class);
            String operation = reconciles == null ? bean : reconciles.value();
            String before = byOperation.put(operation, bean);
            if (before != null) {
                throw new SemelConfigurationException(
                        "Two Reconciler beans are for the operation '" + operation + "': " + before + " and " + bean
                                + ".",
                        "Remove one, or name another operation in its @Reconciles.");
            }
        }
        return byOperation;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @ConditionalOnProperty("semel.http.shadow")
    ShadowRecorder semelShadowRecorder(KeyStore store, SemelProperties properties) {
        return ShadowRecorder.builder(store)
                .namespace(properties.parsedNamespace())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    HttpGate semelHttpGate(
            Semel semel,
            SemelProperties properties,
            ObjectProvider<HttpListener> listeners,
            ObjectProvider<ShadowRecorder> shadow) {
        List<HttpListener> told = listeners.orderedStream().toList();
        HttpGate.Builder gate = HttpGate.builder(semel)
                .namespace(properties.parsedNamespace())
                .listener(event -> told.forEach(listener -> listener.on(event)));
        if (!properties.http().replayMarker().isEmpty()) {
            gate.replayMarker(properties.http().replayMarker().toArray(String[]::new));
        }
        shadow.ifAvailable(gate::shadow);
        if (properties.http().statusPath() != null) {
            gate.statusPath(properties.http().statusPath());
        }
        return gate.build();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Policies semelPolicies(SemelProperties properties, ConfigurableListableBeanFactory beans) {
        return new Policies(properties, beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OperationRegistry semelOperations(ConfigurableListableBeanFactory beans) {
        return new OperationRegistry(reconcilers(beans).keySet());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodOperations semelMethodOperations(
            Policies policies,
            SemelProperties properties,
            ObjectProvider<Json> json,
            ObjectProvider<MethodTransactions> transactions,
            BeanFactory beans) {
        return new MethodOperations(
                policies,
                properties.parsedNamespace(),
                json.getIfAvailable(JsonConfiguration::missing),
                transactions.getIfAvailable(MethodTransactions::none),
                beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentMethods semelIdempotentMethods(BeanFactory beans) {
        return new IdempotentMethods(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor semelAdvisor(IdempotentMethods methods) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(methods, new IdempotentInterceptor(methods));
        advisor.setOrder(IdempotentInterceptor.ADVISOR_ORDER);
        return advisor;
    }
}
