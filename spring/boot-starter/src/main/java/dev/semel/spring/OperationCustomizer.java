package dev.semel.spring;

import dev.semel.http.HttpRules;
import dev.semel.policy.Policy;

/**
 * Customizes one operation in ways that {@link Idempotent} and the {@code semel.*} properties cannot, for example its
 * tombstone, the largest response that is kept, or whether its responses say when the key expires. Define it as a bean.
 */
public interface OperationCustomizer {

    /** Changes the policy of an operation; does nothing by default. */
    default void customize(String operation, Policy.Builder<?, ?> policy) {}

    /** Changes the HTTP rules of an operation; does nothing by default. */
    default void customize(String operation, HttpRules.Builder rules) {}
}
