package dev.semel.spring.test;

import dev.semel.testkit.memory.TransactionalMemoryStore;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Transactions for handlers of a slice that have a transactional mode. */
@AutoConfiguration(after = MemoryStoreAutoConfiguration.class)
@ConditionalOnClass(DataSourceTransactionManager.class)
@ConditionalOnBean(TransactionalMemoryStore.class)
@ConditionalOnMissingBean({DataSource.class, PlatformTransactionManager.class})
class MemoryTransactionsAutoConfiguration {

    @Bean
    DataSource semelDataSource(TransactionalMemoryStore store) {
        return store.dataSource();
    }

    @Bean
    PlatformTransactionManager semelTransactionManager(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }
}
