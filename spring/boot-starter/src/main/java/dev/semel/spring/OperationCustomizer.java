package dev.semel.spring;

import dev.semel.http.HttpRules;
import dev.semel.policy.Policy;

/**
 * A bean that has the last word on single operations, for what neither {@link Idempotent} nor a {@code semel.*} property
 * can say of one alone: its tombstones, the largest response that is kept, whether it publishes when a key expires.
 */
public interface OperationCustomizer {

    /** Changes the policy of an operation; does nothing by default. */
    default void customize(String operation, Policy.Builder<?, ?> policy) {}

    /** Changes how requests of an operation are treated; does nothing by default. */
    default void customize(String operation, HttpRules.Builder rules) {}
}
