package dev.semel.torture.broker;

import dev.semel.OperationFailedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.nio.charset.StandardCharsets;

/** What a sender learns about the outcome of a message. A handler returns nothing, so that every success is the same. */
public final class StoredEnd {

    /** The outcome of every message that was handled. */
    public static final String HANDLED = "the message was handled";

    /** How the text of a message begins that was tried too often, or whose consumers have died too often. */
    private static final String GIVEN_UP = "given up";

    private static final String REFUSED = "given up after";

    private StoredEnd() {}

    /** What the sender of the request gets for this outcome. */
    public static ServiceReply reply(ServiceRequest request, Outcome outcome) {
        return outcome.isSuccess()
                ? ServiceReply.replayed(HANDLED.getBytes(StandardCharsets.UTF_8))
                : failed(request, textOf(outcome));
    }

    /**
     * What the sender gets for a failure with this text. Only who asked to be refused knows that nothing was done: others
     * may have had their effect in an attempt before.
     */
    static ServiceReply failed(ServiceRequest request, String text) {
        if (!text.startsWith(GIVEN_UP)) {
            return ServiceReply.replayed(text.getBytes(StandardCharsets.UTF_8));
        }
        return request.isRefused() && text.startsWith(REFUSED)
                ? ServiceReply.of(Kind.NOT_APPLIED)
                : ServiceReply.failed(Kind.FAILED, new IllegalStateException(text));
    }

    /** The same as bytes. */
    public static byte[] bytes(Outcome outcome) {
        return (outcome.isSuccess() ? HANDLED : textOf(outcome)).getBytes(StandardCharsets.UTF_8);
    }

    private static String textOf(Outcome failure) {
        try {
            OutcomeCodec.text().decode(failure);
            throw new IllegalStateException("a failed outcome decodes to a value: " + failure);
        } catch (OperationFailedException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
