package dev.semel.spring.test;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.memory.TransactionalMemoryStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The store of a slice, whatever the application has configured: a slice has no database. */
@AutoConfiguration(beforeName = "dev.semel.spring.autoconfigure.StoreAutoConfiguration")
class MemoryStoreAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(KeyStore.class)
    TransactionalMemoryStore semelKeyStore() {
        return TransactionalMemoryStore.create();
    }
}
