package dev.semel.grpc;

import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.HttpGate;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.spool.Spool;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call from its first byte to its answer. The service is started when the message is there and the key is claimed. */
final class GuardedCall<Q, R> extends ServerCall.Listener<Q> {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedCall.class);

    private final HttpGate gate;
    private final GrpcRules rules;
    private final CallerScope scopes;
    private final Executor executor;
    private final ServerCall<Q, R> call;
    private final Metadata headers;
    private final ServerCallHandler<Q, R> next;
    private @Nullable Q message;
    private boolean passed;
    private ServerCall.@Nullable Listener<Q> service;

    GuardedCall(
            HttpGate gate,
            GrpcRules rules,
            CallerScope scopes,
            Executor executor,
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next) {
        this.gate = gate;
        this.rules = rules;
        this.scopes = scopes;
        this.executor = executor;
        this.call = call;
        this.headers = headers;
        this.next = next;
    }

    @Override
    public void onMessage(Q request) {
        if (message != null) {
            throw new IllegalStateException("a unary call has one request, and this one has more");
        }
        message = request;
    }

    @Override
    public void onHalfClose() {
        Q request = message;
        if (request == null) {
            call.close(Status.INTERNAL.withDescription("the call ended without a request"), new Metadata());
            return;
        }
        Admission admission = gate.admit(MessageReader.head(rules, headers, request), rules.http());
        if (admission instanceof Admission.Refused refused) {
            answer(refused.answer());
        } else if (admission instanceof Exchange exchange) {
            guard(exchange, request);
        } else {
            passed = true;
            run(new PassedCall<>(call), request, () -> {});
        }
    }

    /** A client that leaves does not stop a service whose outcome is to be stored. */
    @Override
    public void onCancel() {
        if (passed && service != null) {
            service.onCancel();
            return;
        }
        LOG.debug("the client of a call of {} left before its answer was known", rules.method());
    }

    @Override
    public void onComplete() {
        if (service != null) {
            service.onComplete();
        }
    }

    private void guard(Exchange exchange, Q request) {
        String scope = scopes.scope(call, headers);
        Answer refusal = exchange.refusal(scope);
        if (refusal != null) {
            answer(refusal);
            return;
        }
        RequestClaim claim;
        try (Spool body = Spool.inMemory(exchange.rules().maxRequestBody())) {
            if (!body.offer(MessageReader.bytes(call.getMethodDescriptor(), request))) {
                answer(exchange.tooLarge());
                return;
            }
            claim = exchange.claim(scope, body);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot hold a message", e);
        }
        if (claim instanceof RequestClaim.Owned owned) {
            CapturedCall<Q, R> captured =
                    new CapturedCall<>(call, owned, exchange.rules().policy().maxPayload(), executor, this::answer);
            Context.current()
                    .fork()
                    .withValue(SemelServerInterceptor.ATTEMPT, owned.attempt())
                    .run(() -> {
                        try {
                            run(captured, request, captured::entered);
                        } catch (RuntimeException | Error e) {
                            captured.threw(e);
                        }
                    });
        } else if (claim instanceof RequestClaim.Waiting waiting) {
            waiting.reply().thenAcceptAsync(reply -> answer(((Reply.Instead) reply).answer()), executor);
        } else if (claim instanceof Reply.Instead instead) {
            answer(instead.answer());
        }
    }

    private void run(ServerCall<Q, R> to, Q request, Runnable entered) {
        ServerCall.Listener<Q> started = next.startCall(to, headers);
        service = started;
        started.onReady();
        started.onMessage(request);
        entered.run();
        started.onHalfClose();
    }

    /** Sends an answer that does not come from the service. */
    private void answer(Answer answer) {
        ProblemType cause = answer.cause();
        if (cause != null) {
            StatusRuntimeException problem = ProblemStatus.of(answer, cause);
            call.close(problem.getStatus(), Objects.requireNonNull(problem.getTrailers()));
            return;
        }
        StoredResponse stored = StoredResponse.decode(answer);
        if (stored.status().isOk()) {
            call.sendHeaders(new Metadata());
            call.sendMessage(call.getMethodDescriptor().parseResponse(new ByteArrayInputStream(answer.body())));
        } else {
            ProblemStatus.forbidRetry(stored.trailers());
        }
        call.close(stored.status(), stored.trailers());
    }
}
