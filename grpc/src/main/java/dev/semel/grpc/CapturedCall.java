package dev.semel.grpc;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.HandlerEntry;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.problem.Answer;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The call as the service sees it: its answer is held back until the outcome is stored. */
final class CapturedCall<Q, R> extends PassedCall<Q, R> {

    private static final Logger LOG = LoggerFactory.getLogger(CapturedCall.class);

    private final RequestClaim.Owned owned;
    private final int maxPayload;
    private final Executor executor;
    private final Consumer<Answer> instead;
    private final HandlerEntry entry = HandlerEntry.reported();
    private @Nullable Metadata headers;
    private @Nullable R message;

    CapturedCall(
            ServerCall<Q, R> call,
            RequestClaim.Owned owned,
            int maxPayload,
            Executor executor,
            Consumer<Answer> instead) {
        super(call);
        this.owned = owned;
        this.maxPayload = maxPayload;
        this.executor = executor;
        this.instead = instead;
    }

    /** From here on, the service may have had effects. */
    void entered() {
        entry.enter();
    }

    @Override
    public void sendHeaders(Metadata initial) {
        headers = initial;
    }

    @Override
    public void sendMessage(R response) {
        message = response;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** A client that leaves does not stop the service. */
    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        end(status, trailers, status.getCause());
    }

    /** The service has thrown this, and not closed the call. */
    void threw(Throwable failure) {
        StatusRuntimeException made = failure instanceof StatusRuntimeException own
                ? own
                : StatusProto.toStatusRuntimeException(ProblemStatus.failed());
        Metadata trailers = made.getTrailers();
        end(made.getStatus(), trailers == null ? new Metadata() : trailers, failure);
    }

    private void end(Status status, Metadata trailers, @Nullable Throwable failure) {
        StoredResponse response = new StoredResponse(status, trailers);
        R made = status.isOk() ? message : null;
        byte[] bytes = made == null
                ? new byte[0]
                : MessageReader.read(getMethodDescriptor().streamResponse(made), maxPayload);
        owned.complete(entry.seen(response.encode(bytes, meaning(status, failure))));
        owned.reply().thenAcceptAsync(reply -> send(reply, response, made), executor);
    }

    /** A call that was cancelled or timed out may still have had effects: that is not its outcome. */
    private static @Nullable Throwable meaning(Status status, @Nullable Throwable failure) {
        boolean cutOff = status.getCode() == Status.Code.CANCELLED || status.getCode() == Status.Code.DEADLINE_EXCEEDED;
        return cutOff && !(failure instanceof NotExecutedException)
                ? new OutcomeUnknownException("the service ended its call with " + status.getCode(), failure)
                : failure;
    }

    private void send(Reply reply, StoredResponse response, @Nullable R made) {
        try {
            if (reply instanceof Reply.Instead other) {
                instead.accept(other.answer());
                return;
            }
            Metadata initial = headers;
            if (initial != null || made != null) {
                delegate().sendHeaders(initial == null ? new Metadata() : initial);
            }
            if (made != null) {
                delegate().sendMessage(made);
            }
            ((Reply.Own) reply).extra().forEach(header -> StoredResponse.putAscii(response.trailers(), header));
            delegate().close(response.status(), response.trailers());
        } catch (IllegalStateException e) {
            LOG.debug("the client left before its answer was known", e);
        }
    }
}
