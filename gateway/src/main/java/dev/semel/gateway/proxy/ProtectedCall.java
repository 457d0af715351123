package dev.semel.gateway.proxy;

import dev.semel.Attempt;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.gateway.framing.DeclaredLength;
import dev.semel.gateway.framing.FramingException;
import dev.semel.gateway.limits.Budget;
import dev.semel.gateway.limits.BudgetShare;
import dev.semel.gateway.limits.Transfers;
import dev.semel.gateway.quota.QuotaUse;
import dev.semel.http.HandlerResponse;
import dev.semel.http.HttpRules;
import dev.semel.http.spool.Spool;
import dev.semel.policy.Policy;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The one call of the upstream under a key. Its response is held back until the key is settled: nothing is
 * sent before it is stored. Of one that is too large to keep, or finds no room in time, the beginning is held back and the rest is
 * left where it is.
 */
final class ProtectedCall {

    private static final long ROOM_MILLIS = 20;
    private static final Duration LONGEST_WAIT_FOR_ROOM = Duration.ofMillis(500);

    private final LoopContext loop;
    private final HttpServerRequest request;
    private final RequestTarget target;
    private final Spool body;
    private final BudgetShare share;
    private final HttpRules rules;
    private final int maxKept;
    private final QuotaUse use;
    private final CompletableFuture<HandlerResponse> done = new CompletableFuture<>();
    private final Spool held = Spool.inMemory(Long.MAX_VALUE);
    private final IdleWatch.Entry deadline;
    private @Nullable Key key;
    private @Nullable HttpClientRequest sent;
    private @Nullable HttpClientResponse answer;
    private @Nullable UpstreamFailure failure;
    private byte @Nullable [] kept;
    private boolean bodySent;
    private boolean waitsForRoom;
    private boolean cut;
    private boolean restLost;

    ProtectedCall(
            LoopContext loop,
            HttpServerRequest request,
            RequestTarget target,
            Spool body,
            BudgetShare share,
            HttpRules rules,
            Duration timeout,
            QuotaUse use) {
        this.loop = loop;
        this.request = request;
        this.target = target;
        this.body = body;
        this.share = share;
        this.rules = rules;
        this.maxKept = rules.policy().maxPayload();
        this.use = use;
        this.deadline = loop.idle().deadline(timeout, () -> timedOut(timeout));
    }

    CompletionStage<HandlerResponse> start(Attempt attempt) {
        key = attempt.key();
        loop.counters().began();
        done.whenComplete((response, never) -> {
            deadline.stop();
            loop.counters().ended();
        });
        loop.upstream()
                .open(UpstreamClient.Lane.PROTECTED, request, target, attempt)
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
        if (body.size() <= Budget.SMALL) {
            bodySent = true;
            upstream.send(Buffer.buffer(body.bytes())).onComplete(this::answered, this::interrupted);
            return;
        }
        upstream.putHeader("Content-Length", Long.toString(body.size()));
        upstream.response().onComplete(this::answered, this::interrupted);
        upstream.exceptionHandler(this::interrupted);
        Pump.write(open(body), upstream, () -> {})
                .onComplete(
                        written -> {
                            bodySent = true;
                            upstream.end();
                        },
                        this::interrupted);
    }

    private static InputStream open(Spool bytes) {
        try {
            return bytes.open();
        } catch (IOException e) {
            throw new IllegalStateException("a spool in memory does no I/O", e);
        }
    }

    private void interrupted(Throwable cause) {
        fail(UpstreamFailure.interrupted(cause));
    }

    private void answered(HttpClientResponse response) {
        if (done.isDone()) {
            return;
        }
        answer = response;
        loop.upstreamHealth().answered();
        response.exceptionHandler(broken -> {
            restLost = true;
            interrupted(broken);
        });
        DeclaredLength length = DeclaredLength.of(response);
        response.endHandler(ended -> {
            if (!bodySent) {
                // It did not wait for all of the request, and will not read another one behind the rest of it.
                UpstreamClient.abandon(response.request());
            }
            if (!done.isDone()) {
                try {
                    length.end();
                } catch (FramingException e) {
                    interrupted(e);
                    return;
                }
                kept = held.bytes();
                held.reset();
                done.complete(captured(response, kept));
            }
        });
        response.handler(chunk -> {
            try {
                length.add(chunk.length());
            } catch (FramingException e) {
                interrupted(e);
                return;
            }
            hold(response, chunk);
        });
    }

    private void hold(HttpClientResponse response, Buffer chunk) {
        use.buffer(chunk.length());
        try {
            held.offer(chunk.getBytes());
        } catch (IOException e) {
            throw new IllegalStateException("a spool in memory does no I/O", e);
        }
        if (held.size() > maxKept) {
            keepNothing(response);
        } else if (!takeRoom()) {
            response.pause();
            waitsForRoom = true;
            waitForRoom(response, System.nanoTime());
        }
    }

    /** For twice the size: what has arrived, and what is stored of it. */
    private boolean takeRoom() {
        return share.growResponse(2 * held.memory());
    }

    private void waitForRoom(HttpClientResponse response, long since) {
        loop.vertx().setTimer(ROOM_MILLIS, looked -> {
            if (done.isDone()) {
                return;
            }
            if (takeRoom()) {
                waitsForRoom = false;
                response.resume();
            } else if (System.nanoTime() - since > LONGEST_WAIT_FOR_ROOM.toNanos()) {
                keepNothing(response);
            } else {
                waitForRoom(response, since);
            }
        });
    }

    /** What has arrived is held back, and the rest is left where it is. */
    private void keepNothing(HttpClientResponse response) {
        cut = true;
        response.pause();
        done.complete(captured(response, null));
    }

    private static HandlerResponse captured(HttpClientResponse response, byte @Nullable [] kept) {
        List<Header> headers = new ArrayList<>();
        response.headers().forEach((name, value) -> headers.add(new Header(name, value)));
        return HandlerResponse.of(response.statusCode(), headers, kept);
    }

    private void timedOut(Duration timeout) {
        if (sent == null) {
            fail(UpstreamFailure.noConnection());
        } else if (answer != null && waitsForRoom) {
            keepNothing(answer);
        } else {
            fail(UpstreamFailure.timedOut(timeout));
        }
    }

    private void fail(UpstreamFailure why) {
        if (done.isDone()) {
            return;
        }
        failure = why;
        loop.upstreamFailed(why);
        done.complete(why.asResponse(rules.dialect(), key));
        if (sent != null) {
            UpstreamClient.abandon(sent);
        }
    }

    /** Sends the upstream's own response to the client. */
    void reply(List<Header> extra) {
        if (failure != null) {
            share.giveAll();
            Answers.write(loop.vertx(), request, failure.answer(rules.dialect()));
            return;
        }
        HttpClientResponse response = Objects.requireNonNull(answer, "a call without failure has an answer");
        HttpServerResponse out = request.response();
        if (out.closed()) {
            discard();
            return;
        }
        Headers.head(response, request);
        extra.forEach(header -> out.headers().set(header.name(), header.value()));
        if (cut) {
            streamRest(response, out);
            return;
        }
        byte[] whole = Objects.requireNonNull(kept, "a response that is not cut is kept");
        share.shrinkResponse(whole.length);
        BodySender.end(loop, request, whole, share::giveAll);
    }

    private void streamRest(HttpClientResponse response, HttpServerResponse out) {
        if (restLost) {
            share.giveAll();
            out.reset();
            return;
        }
        if (!out.headers().contains("Content-Length")) {
            out.setChunked(true);
        }
        Runnable breakOff = () -> {
            discard();
            loop.connections().breakOff(request);
        };
        IdleWatch.Entry idle = loop.idle().start(breakOff);
        Transfers.Transfer transfer = loop.transfers().start(() -> {
            UpstreamClient.abandon(response.request());
            breakOff.run();
        });
        Runnable moved = () -> {
            idle.touch();
            transfer.touch();
        };
        Runnable over = () -> {
            idle.stop();
            transfer.ended();
        };
        out.closeHandler(closed -> {
            over.run();
            discard();
        });
        Pump.write(open(held), out, moved)
                .compose(written -> {
                    held.reset();
                    share.giveAll();
                    return Pump.move(response, out, moved);
                })
                .onComplete(
                        all -> {
                            over.run();
                            out.end();
                        },
                        broken -> {
                            over.run();
                            out.reset();
                        });
    }

    /** Lets what is left of a response go by, without stopping the upstream in the middle of it. */
    void discard() {
        held.reset();
        share.giveAll();
        if (answer != null && cut) {
            // Its outcome is stored: whether the rest arrives makes no difference any more.
            answer.handler(ignored -> {}).exceptionHandler(ignored -> {}).resume();
        }
    }

    /** Counts what this call leaves in the store to its caller. */
    void countForCaller() {
        Policy policy = rules.policy();
        if (failure != null) {
            if (failure.meaning() instanceof OutcomeUnknownException) {
                use.leftUnknown();
            }
        } else if (answer != null) {
            Outcome outcome = Outcome.succeeded().status(answer.statusCode()).build();
            if (!policy.refused().test(outcome)) {
                use.kept(
                        kept == null ? 0 : kept.length,
                        policy.retentionOf(outcome).total());
            }
        }
    }
}
