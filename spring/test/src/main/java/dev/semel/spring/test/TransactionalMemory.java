package dev.semel.spring.test;

import dev.semel.testkit.memory.TransactionalMemoryStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A configuration for tests on a database that cannot keep keys, such as H2: keys are in memory, and outcomes of transactional
 * operations commit and roll back with the transactions of that database. Add it with {@code @Import(TransactionalMemory.class)}.
 */
@Configuration(proxyBeanMethods = false)
public class TransactionalMemory {

    @Bean
    static TransactionalMemoryStore semelKeyStore() {
        return TransactionalMemoryStore.create();
    }

    @Bean
    static BeanPostProcessor semelJoinedDataSources(ObjectProvider<TransactionalMemoryStore> stores) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource dataSource
                        ? stores.getObject().around(dataSource)
                        : bean;
            }
        };
    }
}
