package dev.semel.torture.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BusinessTest {

    /** Of DynamoDB. */
    private static final int LARGEST_ITEM = 400 << 10;

    private final LedgerClient ledger = new LedgerClient(0, "n1.1");
    private final Business business = new Business(ledger, new Failpoints(ledger), "n1.1", false);

    @Test
    void makesLargeOutcomesThatDifferInEachPiece() {
        byte[] one = outcome("r1", Behaviour.LARGE);
        byte[] other = outcome("r2", Behaviour.LARGE);

        assertThat(one).hasSizeGreaterThan(LARGEST_ITEM).isEqualTo(outcome("r1", Behaviour.LARGE));
        assertThat(end(one)).isNotEqualTo(end(other));
        assertThat(outcome("r1", Behaviour.SUCCEED)).hasSizeLessThan(1_000);
    }

    private static byte[] end(byte[] outcome) {
        return Arrays.copyOfRange(outcome, LARGEST_ITEM, outcome.length);
    }

    private byte[] outcome(String request, Behaviour behaviour) {
        return business.outcome(
                new ServiceRequest(Operation.REDO, "alice", "key", request, new byte[0], 0, behaviour), 1, 17);
    }
}
