package dev.semel.spring.test.child;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Watches the application from inside: its beans, the store, and commits. */
@Configuration(proxyBeanMethods = false)
class CrashConfiguration {

    private static final Set<StoreCall> OF_REQUESTS = EnumSet.of(
            StoreCall.CLAIM,
            StoreCall.SETTLE,
            StoreCall.RELEASE,
            StoreCall.ABANDON,
            StoreCall.RECORD_STEP,
            StoreCall.CLAIM_IN_TRANSACTION,
            StoreCall.SETTLE_IN_TRANSACTION);

    /** Of the whole process, set before Spring starts. */
    static PointSwitch points = new PointSwitch();

    static @Nullable ControlLink link;

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor semelCrashAdvisor() {
        WatchedBeans watched = new WatchedBeans(CrashingApplication.listed(CrashingApplication.PACKAGES), points);
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(watched, watched);
        advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return advisor;
    }

    @Bean
    static BeanPostProcessor semelCrashStore() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof KeyStore store ? watched(store) : bean;
            }
        };
    }

    private static KeyStore watched(KeyStore store) {
        FaultyStore watched = FaultyStore.around(store);
        watched.watch(new FaultyStore.Watcher() {
            @Override
            public void sent(StoreCall call) {
                reach("before", call);
            }

            @Override
            public void answered(StoreCall call) {
                reach("after", call);
            }
        });
        return watched.store();
    }

    private static void reach(String when, StoreCall call) {
        if (OF_REQUESTS.contains(call)) {
            points.reach(when + " the store's "
                    + call.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        }
    }

    @Bean
    static ApplicationListener<ApplicationReadyEvent> semelCrashReady() {
        return event -> {
            ControlLink test = link;
            if (test != null) {
                test.ready(event.getApplicationContext().getEnvironment().getProperty("local.server.port", "none"));
            }
        };
    }

    /** For applications with transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurableTransactionManager.class)
    static class Commits {

        @Bean
        static BeanPostProcessor semelCrashCommits() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof ConfigurableTransactionManager manager) {
                        manager.addListener(new Watch());
                    }
                    return bean;
                }
            };
        }

        private static final class Watch implements TransactionExecutionListener {

            @Override
            public void beforeCommit(TransactionExecution transaction) {
                points.reach("before a commit");
            }

            @Override
            public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
                points.reach("after a commit");
            }
        }
    }
}
