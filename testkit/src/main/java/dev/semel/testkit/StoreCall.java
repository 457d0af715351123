package dev.semel.testkit;

import dev.semel.spi.TransactionJoining;
import java.lang.reflect.Method;
import java.util.Optional;

/** A method of a store that a {@link FaultyStore} can disturb. */
public enum StoreCall {
    CLAIM("claim"),
    SETTLE("settle"),
    RENEW("renew"),
    RELEASE("release"),
    ABANDON("abandon"),
    RECORD_STEP("recordStep"),
    PURGE("purge"),
    FIND("find"),
    PAGE("page"),
    STATISTICS("statistics"),
    RESOLVE("resolve"),
    CLAIM_IN_TRANSACTION("claim"),
    SETTLE_IN_TRANSACTION("settle");

    private final String methodName;

    StoreCall(String methodName) {
        this.methodName = methodName;
    }

    static Optional<StoreCall> of(Method method) {
        boolean joins = method.getDeclaringClass() == TransactionJoining.class;
        for (StoreCall call : values()) {
            if (call.methodName.equals(method.getName()) && call.isInTransaction() == joins) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }

    private boolean isInTransaction() {
        return this == CLAIM_IN_TRANSACTION || this == SETTLE_IN_TRANSACTION;
    }
}
