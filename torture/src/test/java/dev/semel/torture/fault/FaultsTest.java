package dev.semel.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.torture.load.RecoveryTimes;
import dev.semel.torture.load.Story;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which faults there are, and what they have to do with the time of recovery. */
class FaultsTest {

    private final FaultLog log = new FaultLog();
    private final RecoveryTimes recoveries = new RecoveryTimes(log);

    @Test
    void readsAListOfFaults() {
        assertThat(FaultKind.parse("kill,ackLost")).containsExactly(FaultKind.KILL, FaultKind.ACK_LOST);
        assertThat(FaultKind.parse("all")).containsExactly(FaultKind.values());
        assertThat(FaultKind.parse("none")).isEmpty();
    }

    @Test
    void namesTheFaultsThereAre() {
        assertThatThrownBy(() -> FaultKind.parse("earthquake"))
                .hasMessageContaining("earthquake")
                .hasMessageContaining("partition");
    }

    @Test
    void leavesOutRecoveriesDuringWhichSomethingElseWasBroken() {
        recoveries.add(story(), seconds(0), seconds(3));
        recoveries.add(story(), seconds(10), seconds(19));
        log.add("NODES-1", FaultKind.KILL, "any-moment", seconds(0), seconds(2));
        log.add("DATABASE-1", FaultKind.PARTITION, "cut", seconds(12), seconds(15));

        assertThat(recoveries.undisturbed()).containsExactly(3.0);
        assertThat(recoveries.all()).containsExactly(3.0, 9.0);
    }

    @Test
    void takesTheValueThatAPartDoesNotExceed() {
        assertThat(RecoveryTimes.quantile(List.of(), 0.99)).isZero();
        assertThat(RecoveryTimes.quantile(List.of(1.0, 2.0, 3.0, 4.0), 0.5)).isEqualTo(3.0);
        assertThat(RecoveryTimes.quantile(List.of(1.0, 2.0, 3.0, 4.0), 0.99)).isEqualTo(4.0);
    }

    private static Story story() {
        return new Story(Operation.HOLD, Key.of("alice", "key"), "body", 0, Behaviour.SUCCEED, false);
    }

    private static long seconds(long seconds) {
        return seconds * 1_000_000_000L;
    }
}
