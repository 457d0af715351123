package dev.semel.gateway.proxy;

import dev.semel.gateway.limits.Budget;
import dev.semel.gateway.limits.BudgetShare;
import dev.semel.gateway.log.AccessLine;
import dev.semel.gateway.quota.Limit;
import dev.semel.gateway.quota.QuotaDecision;
import dev.semel.gateway.quota.QuotaUse;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.Exchange;
import dev.semel.http.Reply;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request with a key: its whole body is read, its key claimed, and the upstream called if the key is its own. */
final class ProtectedRequest {

    private static final int SERVICE_UNAVAILABLE = 503;

    private static final int BAD_REQUEST = 400;

    private static final Logger log = LoggerFactory.getLogger(ProtectedRequest.class);

    private final LoopContext loop;
    private final HttpServerRequest request;
    private final RequestTarget target;
    private final Exchange exchange;
    private final Duration timeout;
    private final @Nullable String scope;
    private final QuotaUse use;
    private final AccessLine line;
    private final Spool spool;
    private final BudgetShare share;
    private final IdleWatch.Entry idle;
    private final IdleWatch.Entry deadline;
    private final long began = System.nanoTime();
    private final Context context;
    private @Nullable ProtectedCall call;
    private boolean receiving = true;

    private ProtectedRequest(
            LoopContext loop,
            HttpServerRequest request,
            RequestTarget target,
            Exchange exchange,
            Duration timeout,
            @Nullable String scope,
            QuotaUse use,
            AccessLine line) {
        this.loop = loop;
        this.request = request;
        this.target = target;
        this.exchange = exchange;
        this.timeout = timeout;
        this.scope = scope;
        this.use = use;
        this.line = line;
        this.spool = Spool.inMemory(exchange.rules().maxRequestBody());
        this.share = new BudgetShare(loop.budget(), use::close);
        this.idle = loop.idle().start(this::tooSlow);
        this.deadline = loop.idle().deadline(loop.receiving().deadline(), this::tooSlow);
        this.context = loop.vertx().getOrCreateContext();
    }

    static void start(
            LoopContext loop,
            HttpServerRequest request,
            RequestTarget target,
            Exchange exchange,
            Duration timeout,
            @Nullable String scope,
            AccessLine line) {
        Answer refusal = exchange.refusal(scope);
        if (refusal != null) {
            // An unknown caller gets no room, and is not asked for a body.
            Answers.write(loop.vertx(), request, refusal);
            return;
        }
        long announced = announced(request);
        QuotaDecision entry =
                loop.quotas().enter(scope, Math.min(announced, exchange.rules().maxRequestBody()));
        if (entry instanceof QuotaDecision.Over over) {
            Answers.write(loop.vertx(), request, exchange.overLimit(over.limit().detail(), over.retryAfter()));
            return;
        }
        ProtectedRequest receiver =
                new ProtectedRequest(loop, request, target, exchange, timeout, scope, (QuotaUse) entry, line);
        if (announced > exchange.rules().maxRequestBody()) {
            receiver.refuse(exchange.tooLarge());
            return;
        }
        if (!loop.budget().hasRoomFor(announced)) {
            receiver.noRoom();
            return;
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            request.response().writeContinue();
        }
        request.handler(receiver::receive);
        request.exceptionHandler(broken -> receiver.clientGone());
        request.endHandler(ended -> receiver.received());
    }

    private static long announced(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            // The codec has accepted it, so it is a number beyond all limits.
            return Long.MAX_VALUE;
        }
    }

    private void receive(Buffer chunk) {
        if (!receiving) {
            return;
        }
        idle.touch();
        if (loop.receiving().isTooSlow(spool.size() + chunk.length(), Duration.ofNanos(System.nanoTime() - began))) {
            tooSlow();
            return;
        }
        if (!use.tryBuffer(chunk.length())) {
            refuse(exchange.overLimit(Limit.BUFFERED.detail(), 1));
            return;
        }
        try {
            if (!spool.offer(chunk.getBytes())) {
                refuse(exchange.tooLarge());
            } else if (!share.growRequest(spool.memory())) {
                noRoom();
            }
        } catch (IOException e) {
            throw new IllegalStateException("a spool in memory does no I/O", e);
        }
    }

    private void noRoom() {
        if (receiving) {
            loop.counters().add(Count.NO_ROOM);
        }
        refuse(UpstreamFailure.busy(Count.NO_ROOM, "Too many large requests are being received.", null)
                .answer(dialect()));
    }

    private Dialect dialect() {
        return exchange.rules().dialect();
    }

    private void tooSlow() {
        refuse(exchange.tooSlow());
    }

    /** Nothing was claimed: the request is as if it had never been. */
    private void refuse(Answer answer) {
        if (receiving) {
            stopReceiving();
            release();
            Answers.write(loop.vertx(), request, answer);
        }
    }

    private void clientGone() {
        if (receiving) {
            stopReceiving();
            release();
        }
    }

    private void stopReceiving() {
        receiving = false;
        idle.stop();
        deadline.stop();
    }

    private void received() {
        if (!receiving) {
            return;
        }
        if (request.headers().contains("Content-Length") && announced(request) != spool.size()) {
            refuse(dialect().answer(BAD_REQUEST, "The body of this request is not as long as its Content-Length."));
            return;
        }
        stopReceiving();
        if (spool.size() <= Budget.SMALL) {
            answerWith(run());
            return;
        }
        loop.vertx().executeBlocking(this::run, false).onComplete(this::answerWith, this::unexpected);
    }

    private CompletionStage<Reply> run() {
        Executor onLoop = command -> context.runOnContext(now -> command.run());
        return exchange.run(scope, spool, onLoop, attempt -> {
            ProtectedCall made = new ProtectedCall(loop, request, target, spool, share, exchange.rules(), timeout, use);
            call = made;
            return made.start(attempt);
        });
    }

    private void answerWith(CompletionStage<Reply> reply) {
        reply.whenComplete((ready, failure) -> context.runOnContext(now -> {
            if (failure == null) {
                answer(ready);
            } else {
                unexpected(failure);
            }
        }));
    }

    private void answer(Reply reply) {
        line.answered(
                exchange.digest(),
                reply instanceof Reply.Instead instead && instead.answer().cause() == null);
        if (reply instanceof Reply.Early early) {
            Answers.write(loop.vertx(), request, early.answer());
            early.rest().thenAccept(ended -> context.runOnContext(now -> answeredBefore()));
            return;
        }
        spool.reset();
        share.giveRequest();
        if (call != null) {
            call.countForCaller();
        }
        if (reply instanceof Reply.Instead instead) {
            if (call != null) {
                call.discard();
            }
            replay(instead.answer());
        } else if (reply instanceof Reply.Own own && call != null) {
            call.reply(own.extra());
        }
    }

    /** The call has ended of a client that was not kept waiting for it. */
    private void answeredBefore() {
        spool.reset();
        if (call != null) {
            call.countForCaller();
            call.discard();
        }
        share.giveAll();
    }

    private void replay(Answer answer) {
        if (share.growResponse(answer.body().length)) {
            Answers.write(loop, request, answer, share::giveAll);
            return;
        }
        share.giveAll();
        loop.counters().add(Count.NO_ROOM);
        Answers.write(
                loop.vertx(),
                request,
                dialect()
                        .answer(SERVICE_UNAVAILABLE, "There is no room for the response at the moment. Ask again.")
                        .with("Retry-After", "1"));
    }

    private void unexpected(Throwable failure) {
        log.error("a protected request ended in an unexpected way", failure);
        loop.counters().add(Count.STORE_FAILURES);
        release();
        request.response().reset();
    }

    private void release() {
        spool.reset();
        share.giveAll();
    }
}
