package dev.semel.gateway;

import dev.semel.Attempt;
import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Policy;
import dev.semel.gateway.quota.Use;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.HandlerResponse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The one call of the upstream under a key. Its response is held back until the key is settled: what nobody has stored
 * nobody has seen. Of one that is too large to keep, the beginning is held back and the rest is left where it is.
 */
final class ProtectedCall {

    private final Traffic traffic;
    private final HttpServerRequest request;
    private final RequestTarget target;
    private final Buffer body;
    private final int maxKept;
    private final Use use;
    private final CompletableFuture<HandlerResponse> done = new CompletableFuture<>();
    private final Buffer held = Buffer.buffer();
    private final IdleWatch.Entry deadline;
    private @Nullable HttpClientRequest sent;
    private @Nullable HttpClientResponse answer;
    private @Nullable UpstreamFailure failure;
    private boolean restLost;

    ProtectedCall(
            Traffic traffic,
            HttpServerRequest request,
            RequestTarget target,
            byte[] body,
            int maxKept,
            Duration timeout,
            Use use) {
        this.traffic = traffic;
        this.request = request;
        this.target = target;
        this.body = Buffer.buffer(body);
        this.maxKept = maxKept;
        this.use = use;
        this.deadline = traffic.idle().deadline(timeout, this::timedOut);
    }

    CompletionStage<HandlerResponse> start(Attempt attempt) {
        traffic.counters().began();
        done.whenComplete((response, never) -> {
            deadline.stop();
            traffic.counters().ended();
        });
        traffic.upstream()
                .open(request, target, attempt)
                .onComplete(this::opened, cause -> fail(UpstreamFailure.unreachable(cause)));
        return done;
    }

    private void opened(HttpClientRequest upstream) {
        if (done.isDone()) {
            UpstreamClient.abandon(upstream);
            return;
        }
        sent = upstream;
        upstream.headers().remove("Content-Length");
        upstream.send(body).onComplete(this::answered, cause -> fail(UpstreamFailure.interrupted(cause)));
    }

    private void answered(HttpClientResponse response) {
        if (done.isDone()) {
            return;
        }
        answer = response;
        response.exceptionHandler(broken -> {
            restLost = true;
            fail(UpstreamFailure.interrupted(broken));
        });
        response.endHandler(ended -> done.complete(captured(response, held.getBytes())));
        response.handler(chunk -> {
            held.appendBuffer(chunk);
            traffic.budget().take(chunk.length());
            use.buffer(chunk.length());
            if (held.length() > maxKept) {
                response.pause();
                done.complete(captured(response, null));
            }
        });
    }

    private static HandlerResponse captured(HttpClientResponse response, byte @Nullable [] kept) {
        List<Header> headers = new ArrayList<>();
        response.headers().forEach((name, value) -> headers.add(new Header(name, value)));
        return new HandlerResponse(response.statusCode(), headers, kept);
    }

    private void timedOut() {
        if (sent == null) {
            fail(UpstreamFailure.busy("No connection to the service behind this gateway was free in time.", null));
        } else {
            fail(UpstreamFailure.timedOut());
        }
    }

    private void fail(UpstreamFailure why) {
        if (done.isDone()) {
            return;
        }
        failure = why;
        traffic.counters().add(Count.UPSTREAM_FAILURES);
        done.complete(why.asResponse());
        if (sent != null) {
            UpstreamClient.abandon(sent);
        }
    }

    /** Sends the upstream's own response to the client. */
    void reply(List<Header> extra) {
        if (failure != null) {
            Answers.write(traffic.vertx(), request, failure.answer());
            return;
        }
        HttpClientResponse response = Objects.requireNonNull(answer, "a call without failure has an answer");
        HttpServerResponse out = request.response();
        if (out.closed()) {
            discard();
            return;
        }
        out.setStatusCode(response.statusCode());
        if (request.version() != HttpVersion.HTTP_2 && !response.statusMessage().isEmpty()) {
            out.setStatusMessage(response.statusMessage());
        }
        Headers.toClient(response.headers(), out.headers(), response.version());
        extra.forEach(header -> out.headers().set(header.name(), header.value()));
        if (held.length() <= maxKept) {
            out.end(held);
            return;
        }
        streamRest(response, out);
    }

    private void streamRest(HttpClientResponse response, HttpServerResponse out) {
        if (restLost) {
            out.reset();
            return;
        }
        if (!out.headers().contains("Content-Length")) {
            out.setChunked(true);
        }
        IdleWatch.Entry idle = traffic.idle().start(() -> {
            discard();
            out.reset();
        });
        out.write(held);
        out.closeHandler(closed -> {
            idle.stop();
            discard();
        });
        Pump.move(response, out, idle::touch)
                .onComplete(
                        moved -> {
                            idle.stop();
                            out.end();
                        },
                        broken -> {
                            idle.stop();
                            out.reset();
                        });
    }

    /** Lets what is left of a response go by, without stopping the upstream in the middle of it. */
    void discard() {
        if (answer != null && held.length() > maxKept) {
            // Its outcome is stored: whether the rest arrives makes no difference any more.
            answer.handler(ignored -> {}).exceptionHandler(ignored -> {}).resume();
        }
    }

    /** Counts what this call leaves in the store to its caller. */
    void countForCaller(Policy policy) {
        if (failure != null) {
            if (failure.meaning() instanceof OutcomeUnknownException) {
                use.leftUnknown();
            }
        } else if (answer != null) {
            Outcome outcome = Outcome.succeeded().status(answer.statusCode()).build();
            if (!policy.refused().test(outcome)) {
                use.kept(
                        held.length() > maxKept ? 0 : held.length(),
                        policy.retentionOf(outcome).total());
            }
        }
    }

    /** How much of the budget the response takes. */
    long heldBytes() {
        return held.length();
    }
}
