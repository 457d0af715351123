package dev.semel.torture.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the sender of a message learns from its dead letter. */
class DeadMessageTest {

    private static ServiceReply reply(Behaviour behaviour, String reason, String text) {
        ServiceRequest request = new ServiceRequest(Operation.HOLD, "alice", "H-1", "r1", new byte[0], 0, behaviour);
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("semel-reason", reason);
        headers.put("semel-message", text);
        return new DeadMessage(headers, request.body()).reply();
    }

    @Test
    void aFailureIsTheOutcome() {
        ServiceReply reply = reply(Behaviour.THROW, "FAILED", "failed after the effect");

        assertThat(reply.kind()).isEqualTo(Kind.REPLAYED);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).isEqualTo("failed after the effect");
    }

    @Test
    void aMessageThatAskedToBeRefusedWasNotApplied() {
        assertThat(reply(Behaviour.REFUSE, "FAILED", "given up after 4 tries").kind())
                .isEqualTo(Kind.NOT_APPLIED);
    }

    @Test
    void aMessageThatWasGivenUpMayHaveHadItsEffect() {
        assertThat(reply(Behaviour.SUCCEED, "FAILED", "given up after 4 tries").kind())
                .isEqualTo(Kind.FAILED);
        assertThat(reply(Behaviour.REFUSE, "FAILED", "given up: 5 attempts have died")
                        .kind())
                .isEqualTo(Kind.FAILED);
    }

    @Test
    void otherReasonsSayHowTheKeyStands() {
        assertThat(reply(Behaviour.SUCCEED, "MISMATCHED", "").kind()).isEqualTo(Kind.MISMATCH);
        assertThat(reply(Behaviour.SUCCEED, "UNKNOWN", "").kind()).isEqualTo(Kind.UNKNOWN);
    }

    @Test
    void noMessageOfTheLoadIsUnreadable() {
        assertThatThrownBy(() -> reply(Behaviour.SUCCEED, "UNREADABLE", ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("UNREADABLE");
    }
}
