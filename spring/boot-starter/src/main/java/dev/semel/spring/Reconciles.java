package dev.semel.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the operation that a {@link dev.semel.policy.Reconciler} bean reconciles. On the bean's class, or on the
 * {@code @Bean} method. Without it, the bean's name is the operation's.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Reconciles {

    /** The operation's name. */
    String value();
}
