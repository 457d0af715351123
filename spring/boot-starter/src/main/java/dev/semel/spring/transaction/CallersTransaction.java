package dev.semel.spring.transaction;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of a caller, which an operation of the external mode must not join: if the caller rolls back, the
 * operation's writes are undone, but its outcome stays. Loaded only where Spring has transactions.
 */
public record CallersTransaction(
        BeanFactory beans, @Nullable TransactionAttribute attribute) {

    static final AnnotationTransactionAttributeSource ATTRIBUTES = new AnnotationTransactionAttributeSource(false);
    private static final DefaultTransactionDefinition NEVER =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NEVER);

    /**
     * The transaction that a method would join, or {@code null} if it declares that it joins none. A method that
     * declares nothing about transactions joins any through the repositories that it calls.
     */
    public static @Nullable CallersTransaction joinedBy(Method method, Class<?> type, BeanFactory beans) {
        TransactionAttribute attribute = ATTRIBUTES.getTransactionAttribute(method, type);
        if (attribute == null) {
            return new CallersTransaction(beans, null);
        }
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRED,
                    TransactionDefinition.PROPAGATION_SUPPORTS,
                    TransactionDefinition.PROPAGATION_MANDATORY,
                    TransactionDefinition.PROPAGATION_NESTED -> new CallersTransaction(beans, attribute);
            default -> null;
        };
    }

    /** Whether the method has {@code @Transactional}. */
    public boolean isDeclared() {
        return attribute != null;
    }

    public boolean isRunning() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && (attribute == null || isRunning(SpringMethodTransactions.manager(beans, attribute)));
    }

    /** Whether a transaction of this manager is running, and not only one of another. */
    static boolean isRunning(PlatformTransactionManager manager) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        try {
            // A manager only reveals it to a caller that does not want to be in its transaction.
            manager.commit(manager.getTransaction(NEVER));
            return false;
        } catch (IllegalTransactionStateException e) {
            return true;
        }
    }
}
