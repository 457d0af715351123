package dev.semel.spring.method;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.OutcomeCodec;
import dev.semel.SemelException;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation;
import dev.semel.http.Fields;
import dev.semel.jackson.Json;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.spring.operation.KeyText;
import dev.semel.spring.transaction.CallersTransaction;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.util.function.SingletonSupplier;

/**
 * A bean's method that happens once per key.
 *
 * @param parameters the names of the method's parameters
 * @param attemptAt the index of the parameter that takes the attempt, or -1
 * @param included the names of the arguments that the fingerprint covers
 * @param transactions begins the transaction that the outcome is stored in; {@code null} in the external mode
 * @param skipInFlight whether a call returns without running while another caller runs the same key
 * @param external runs the method in the external mode
 * @param transactional runs the method in the other modes
 * @param joined the transaction that the method joins would join in the external mode, unless it declares that it joins none
 */
record MethodOperation(
        Method method,
        String[] parameters,
        int attemptAt,
        Returned returned,
        boolean skipInFlight,
        Policy policy,
        Namespace namespace,
        @Nullable Expression key,
        @Nullable Expression scope,
        Fields fields,
        Predicate<String> included,
        Json json,
        OutcomeCodec<Optional<Object>> codec,
        @Nullable TransactionRunner<Connection> transactions,
        SingletonSupplier<ExternalOperation<Optional<Object>>> external,
        SingletonSupplier<TransactionalOperation<Connection, Optional<Object>>> transactional,
        @Nullable CallersTransaction joined) {

    /** The scope of operations that the application itself calls. No caller of a request has such a name. */
    private static final String APPLICATION = "semel:application";

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** The kind of value that a method returns. */
    enum Returned {
        VALUE,
        STAGE,
        MONO,
        /** A suspending function of Kotlin: Spring makes a Mono of it, and a continuation of the Mono that it gets. */
        SUSPENDED
    }

    Call call(@Nullable Object[] arguments) {
        return Call.of(key(arguments), fingerprint(arguments));
    }

    /** Binds the operation, so that a wrong configuration is found before the first call. */
    void bind() {
        (isTransactional() ? transactional : external).obtain();
    }

    boolean isTransactional() {
        return transactions != null;
    }

    /** Refuses to run in a transaction of the caller, before anything is claimed, unless the mode allows it. */
    void requireNoTransaction() {
        if (joined != null && joined.isRunning()) {
            throw joining();
        }
        if (policy.mode() == Mode.TRANSACTIONAL && transactions != null && transactions.joinsRunning()) {
            throw new SemelException(
                    "operation " + policy.operation() + " has mode TRANSACTIONAL and was called"
                            + " in a transaction of its caller: its claim would take a second connection while the caller holds"
                            + " one, for which callers that share a pool can wait forever; use mode = SINGLE_TRANSACTION, which"
                            + " claims in the caller's transaction, or call it outside of the transaction",
                    null);
        }
    }

    /** Why the external mode does not run in the transaction of its caller. */
    SemelException joining() {
        return new SemelException(
                "operation " + policy.operation() + " has mode EXTERNAL and was called in a"
                        + " transaction that it would join: a rollback of the caller would undo its writes, but"
                        + " not its outcome; use mode = SINGLE_TRANSACTION if it writes to this database, or"
                        + " declare that it is not part"
                        + " of the transaction with @Transactional(propagation = NOT_SUPPORTED or REQUIRES_NEW),"
                        + " or call it"
                        + " outside of the transaction",
                null);
    }

    private Key key(@Nullable Object[] arguments) {
        Object outer = attemptAt < 0 ? null : arguments[attemptAt];
        if (key == null) {
            if (outer instanceof Attempt attempt) {
                Key parent = attempt.key();
                return new Key(parent.namespace(), parent.scope(), attempt.childKey(policy.identity()));
            }
            throw new IllegalArgumentException("operation " + policy.operation()
                    + " has no key and was called without an attempt; set key = \"...\" in its @Idempotent, or"
                    + " pass the Attempt of the caller");
        }
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(new Object(), method, arguments, NAMES);
        String natural = evaluate(key, context, "key");
        String caller = scope == null ? APPLICATION : evaluate(scope, context, "scope");
        return namespace.key(caller, Key.naturalValue(policy.identity(), natural));
    }

    private String evaluate(Expression expression, MethodBasedEvaluationContext context, String what) {
        String text = KeyText.of(expression.getValue(context), expression);
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    "the " + what + " of operation " + policy.operation() + ", " + expression.getExpressionString()
                            + ", is null or empty; an operation without a " + what + " cannot be made safe to retry");
        }
        return text;
    }

    private Fingerprint fingerprint(@Nullable Object[] arguments) {
        Map<String, @Nullable Object> input = new LinkedHashMap<>();
        for (int i = 0; i < parameters.length; i++) {
            if (i != attemptAt && included.test(parameters[i])) {
                input.put(parameters[i], arguments[i]);
            }
        }
        String[] named = input.keySet().toArray(String[]::new);
        return fields.fingerprint(policy.identity(), json.write(input, Map.class), named);
    }
}
