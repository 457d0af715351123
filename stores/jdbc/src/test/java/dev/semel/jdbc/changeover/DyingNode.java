package dev.semel.jdbc.changeover;

import dev.semel.jdbc.changeover.SharedService.Moment;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;

/** A process with Semel that handles one request, and dies at a moment of it. */
final class DyingNode {

    private static final int KILLED = 9;

    private DyingNode() {}

    public static void main(String[] args) throws Exception {
        Moment fatal = Moment.valueOf(args[2]);
        try (SharedService service = new SharedService(args[0], policy(Recovery.valueOf(args[3])), moment -> {
            if (moment == fatal) {
                Runtime.getRuntime().halt(KILLED);
            }
        })) {
            service.withSemel(args[1]);
        }
    }

    static ExternalPolicy policy(Recovery recovery) {
        ExternalPolicy.Builder policy = Policy.external("charge");
        return recovery == Recovery.HOLD
                ? policy.build()
                : policy.recovery(recovery).lease(Policy.MIN_LEASE).build();
    }
}
