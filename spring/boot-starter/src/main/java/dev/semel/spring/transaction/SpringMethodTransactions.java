package dev.semel.spring.transaction;

import dev.semel.TransactionRunner;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.Method;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Begins the transaction that {@code @Transactional} describes, or a plain one. */
public record SpringMethodTransactions(BeanFactory beans, DataSource dataSource) implements MethodTransactions {

    @Override
    public TransactionRunner<Connection> of(Method method, Class<?> type) {
        TransactionAttribute attribute = CallersTransaction.ATTRIBUTES.getTransactionAttribute(method, type);
        if (attribute == null) {
            return new SpringTransactions(
                    () -> beans.getBean(PlatformTransactionManager.class),
                    dataSource,
                    new DefaultTransactionDefinition());
        }
        requireJoinable(method, type, attribute);
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition(attribute);
        if (definition.getPropagationBehavior() == TransactionDefinition.PROPAGATION_SUPPORTS) {
            definition.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
        }
        return new SpringTransactions(() -> manager(beans, attribute), dataSource, definition);
    }

    /** The manager that the attribute names, or else the only one. */
    static PlatformTransactionManager manager(BeanFactory beans, TransactionAttribute attribute) {
        String qualifier = attribute.getQualifier();
        return qualifier == null || qualifier.isEmpty()
                ? beans.getBean(PlatformTransactionManager.class)
                : BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, PlatformTransactionManager.class, qualifier);
    }

    private static void requireJoinable(Method method, Class<?> type, TransactionAttribute attribute) {
        String wrong = switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRED,
                    TransactionDefinition.PROPAGATION_SUPPORTS,
                    TransactionDefinition.PROPAGATION_MANDATORY -> attribute.isReadOnly() ? "is read-only" : "";
            default -> "does not join the transaction that the outcome is stored in";
        };
        if (!wrong.isEmpty()) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + Policies.describe(method, type)
                            + " has a transactional mode, but its @Transactional " + wrong + ".",
                    "Use propagation REQUIRED without readOnly, or mode EXTERNAL.");
        }
    }
}
