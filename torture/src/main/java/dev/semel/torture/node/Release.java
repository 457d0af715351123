package dev.semel.torture.node;

import dev.semel.http.Fields;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.torture.service.LedgerClient;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/**
 * What one release of the service is built with. The second one has another version of the fingerprint, and has given every
 * operation another name, a longer lease, and some of them another retention or recovery.
 */
record Release(int version, Duration lease, Bug bug) {

    private static final Duration SHORT_WAIT = Duration.ofMillis(500);

    static Release of(NodeOptions options) {
        return new Release(options.fingerprintVersion(), options.lease(), Bug.named(options.bug()));
    }

    private boolean isFirst() {
        return version == 1;
    }

    Policy policy(Operation operation) {
        String name = operation.policy(version);
        Policy.Builder<?, ?> policy = switch (operation) {
            case REDO -> Policy.external(name).recovery(Recovery.RE_EXECUTE).duplicates(Duplicates.waitFor(SHORT_WAIT));
            case ORDER -> Policy.external(name).recovery(Recovery.RE_EXECUTE);
            case HOLD, ASK, BRIEF, TOMB -> Policy.external(name).recovery(recovery(operation));
            case TRANSACTION -> Policy.transactional(name);
            case SINGLE -> Policy.singleTransaction(name);
        };
        policy.retention(operation.retention(lease, version));
        if (isFirst()) {
            return bug.changed(policy.lease(lease).build());
        }
        String[] former = bug == Bug.FORMER_NAME_FORGOTTEN ? new String[0] : new String[] {operation.policy(1)};
        return bug.changed(policy.formerly(former)
                .lease(lease.multipliedBy(3).dividedBy(2))
                .build());
    }

    private Recovery recovery(Operation operation) {
        return asked().contains(operation) ? Recovery.RECONCILE : Recovery.HOLD;
    }

    /** The operations that have a reconciler: each release asks about another one. */
    private EnumSet<Operation> asked() {
        return EnumSet.of(isFirst() ? Operation.ASK : Operation.HOLD);
    }

    /** Those reconcilers. */
    Map<Operation, Reconciler> reconcilers(LedgerClient ledger) {
        Map<Operation, Reconciler> reconcilers = new EnumMap<>(Operation.class);
        asked().forEach(operation -> reconcilers.put(operation, new LedgerReconciler(operation, ledger, bug)));
        return reconcilers;
    }

    /** What of a body the fingerprint covers. No body has what the second release leaves out. */
    Fields fields() {
        return isFirst() ? Fields.all() : Fields.allBut("/comment");
    }

    /** How long a patient request waits for the one that runs. */
    Duration longWait() {
        return lease.multipliedBy(3).dividedBy(2);
    }
}
