package dev.semel.rest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a resource method, or all methods of a resource class, as an operation that happens once per key. The key is
 * the {@code Idempotency-Key} header of the request, and the whole response is stored and replayed. The other settings
 * of the operation are in the {@link dev.semel.http.HttpRules} that you pass to {@link SemelFeature} under its name.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /** The operation's name; by default the simple names of class and method. */
    String value() default "";
}
