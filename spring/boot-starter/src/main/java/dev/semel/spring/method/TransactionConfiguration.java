package dev.semel.spring.method;

import dev.semel.spi.KeyStore;
import dev.semel.spi.TransactionJoining;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.transaction.MethodTransactions;
import dev.semel.spring.transaction.SpringMethodTransactions;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/** Transactions of Spring's, for the modes that store an outcome in one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
        name = {
            "org.springframework.transaction.PlatformTransactionManager",
            "org.springframework.jdbc.datasource.DataSourceUtils"
        })
public class TransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodTransactions semelMethodTransactions(BeanFactory beans) {
        return (method, type) -> {
            KeyStore store = beans.getBean(KeyStore.class);
            DataSource dataSource = beans.getBeanProvider(DataSource.class).getIfUnique();
            boolean joins = KeyStore.capability(store, TransactionJoining.class)
                    .filter(joining -> joining.transactionType() == Connection.class)
                    .isPresent();
            if (dataSource == null || !joins) {
                return MethodTransactions.none().of(method, type);
            }
            return new SpringMethodTransactions(beans, dataSource).of(method, type);
        };
    }

    /**
     * An outcome is stored before the commit only if the transaction is begun by us, around the application's; and in
     * the external mode behind it only if the application's has ended inside.
     */
    @Bean
    static SmartInitializingSingleton semelAdvisorOrderCheck(
            IdempotentMethods methods, ObjectProvider<BeanFactoryTransactionAttributeSourceAdvisor> advisors) {
        return () -> {
            if (methods.anyInTransaction()) {
                requireInside(advisors);
            }
        };
    }

    public static void requireInside(ObjectProvider<BeanFactoryTransactionAttributeSourceAdvisor> advisors) {
        advisors.forEach(TransactionConfiguration::requireInside);
    }

    private static void requireInside(BeanFactoryTransactionAttributeSourceAdvisor advisor) {
        if (advisor.getOrder() <= IdempotentInterceptor.ADVISOR_ORDER) {
            throw new SemelConfigurationException(
                    "@Transactional is applied outside of @Idempotent (its order is " + advisor.getOrder()
                            + "), so that an outcome could be stored neither in its transaction nor after it.",
                    "Remove the order from @EnableTransactionManagement, or make it greater than "
                            + IdempotentInterceptor.ADVISOR_ORDER + ".");
        }
    }
}
