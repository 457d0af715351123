package dev.semel.testkit.failures;

import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.time.Duration;

/** A mode of an operation with a recovery: a column of the {@link EngineFailures}. */
enum RunMode {
    HOLD(Mode.EXTERNAL, Recovery.HOLD, "HOLD"),
    RE_EXECUTE(Mode.EXTERNAL, Recovery.RE_EXECUTE, "RE_EXECUTE"),
    RECONCILE(Mode.EXTERNAL, Recovery.RECONCILE, "RECONCILE"),
    FAIL(Mode.EXTERNAL, Recovery.FAIL, "FAIL"),
    TRANSACTIONAL_HOLD(Mode.TRANSACTIONAL, Recovery.HOLD, "TRANSACTIONAL"),
    TRANSACTIONAL_RE_EXECUTE(Mode.TRANSACTIONAL, Recovery.RE_EXECUTE, "TRANSACTIONAL"),
    TRANSACTIONAL_RECONCILE(Mode.TRANSACTIONAL, Recovery.RECONCILE, "TRANSACTIONAL"),
    TRANSACTIONAL_FAIL(Mode.TRANSACTIONAL, Recovery.FAIL, "TRANSACTIONAL"),
    SINGLE_TRANSACTION(Mode.SINGLE_TRANSACTION, Recovery.RE_EXECUTE, "SINGLE_TRANSACTION");

    private final Mode mode;
    private final Recovery recovery;
    private final String column;

    RunMode(Mode mode, Recovery recovery, String column) {
        this.mode = mode;
        this.recovery = recovery;
        this.column = column;
    }

    boolean isTransactional() {
        return mode != Mode.EXTERNAL;
    }

    String column() {
        return column;
    }

    /** The answer to a retry of a key that was left to lapse. */
    String afterALapse() {
        return switch (recovery) {
            case HOLD -> "unknown";
            case RE_EXECUTE -> "runs";
            case RECONCILE -> "replays";
            case FAIL -> "fails";
        };
    }

    /** An operation of its own name for each, since the reconciler is found by that. */
    String operation() {
        return "operation-" + name();
    }

    Policy policy(Duration lease) {
        Policy.Builder<?, ?> builder = switch (mode) {
            case EXTERNAL -> Policy.external(operation());
            case TRANSACTIONAL -> Policy.transactional(operation());
            case SINGLE_TRANSACTION -> Policy.singleTransaction(operation());
        };
        return builder.recovery(recovery).lease(lease).build();
    }
}
