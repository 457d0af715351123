package dev.semel.gateway.proxy;

import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.HandlerResponse;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import io.netty.handler.codec.EncoderException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.StreamResetException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reason why the upstream gave no response. If no byte of the request was sent, the operation was not executed;
 * otherwise its outcome is unknown.
 */
record UpstreamFailure(Count reason, Problem problem, RuntimeException meaning) {

    /** By which an HTTP/2 server says that it has not looked at a request (RFC 9113, 8.7). */
    private static final long REFUSED_STREAM = 7;

    /** No connection was available. */
    static UpstreamFailure unreachable(Throwable cause) {
        if (cause instanceof ConnectionPoolTooBusyException) {
            return busy(
                    Count.UPSTREAM_BUSY, "Too many requests are waiting for the service behind this gateway.", cause);
        }
        return notExecuted(
                Count.UPSTREAM_UNREACHABLE,
                ProblemType.UPSTREAM_UNREACHABLE,
                "The service behind this gateway could not be reached. The request was not sent.",
                cause);
    }

    /** There was no room for the request. */
    static UpstreamFailure busy(Count reason, String detail, @Nullable Throwable cause) {
        return notExecuted(reason, ProblemType.NOT_EXECUTED, detail, cause);
    }

    /** No connection was free in time. */
    static UpstreamFailure noConnection() {
        return busy(Count.UPSTREAM_BUSY, "No connection to the service behind this gateway was free in time.", null);
    }

    /** The connection broke, or what came back was no HTTP, after the request was sent. */
    static UpstreamFailure interrupted(Throwable cause) {
        if (cause instanceof StreamResetException reset && reset.getCode() == REFUSED_STREAM) {
            return unreachable(cause);
        }
        // Not any IllegalArgumentException: the decoder throws one too, at a response to what was sent.
        if (cause instanceof EncoderException) {
            return notExecuted(
                    Count.NOT_EXECUTED,
                    ProblemType.NOT_EXECUTED,
                    "The request could not be written to the service behind this gateway, and was not sent.",
                    cause);
        }
        return unknown(
                Count.UPSTREAM_INTERRUPTED,
                ProblemType.UPSTREAM_INTERRUPTED,
                "The service behind this gateway broke off its answer. It is unknown whether it carried out the"
                        + " request.",
                "the upstream closed the connection before its answer was complete; the request had been sent",
                cause);
    }

    /** The request was sent, and no whole answer came in time. */
    static UpstreamFailure timedOut(Duration timeout) {
        return unknown(
                Count.UPSTREAM_SILENT,
                ProblemType.UPSTREAM_TIMED_OUT,
                "The service behind this gateway did not answer in time. It is unknown whether it carried out the"
                        + " request.",
                "no answer from the upstream within " + seconds(timeout) + "; the request had been sent",
                null);
    }

    private static String seconds(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
    }

    private static UpstreamFailure notExecuted(
            Count reason, ProblemType type, String detail, @Nullable Throwable cause) {
        return new UpstreamFailure(reason, Problem.of(type, detail), new NotExecutedException(detail, cause));
    }

    /** @param why the reason that is shown with the key */
    private static UpstreamFailure unknown(
            Count reason, ProblemType type, String detail, String why, @Nullable Throwable cause) {
        return new UpstreamFailure(reason, Problem.of(type, detail), new OutcomeUnknownException(why, cause));
    }

    Answer answer(Dialect dialect) {
        Answer answer = dialect.answer(problem);
        return meaning instanceof NotExecutedException ? answer.with("Retry-After", "1") : answer;
    }

    /** The response for an attempt on this key. */
    HandlerResponse asResponse(Dialect dialect, @Nullable Key key) {
        if (key != null) {
            problem.about(key);
        }
        Answer answer = answer(dialect);
        return HandlerResponse.of(answer.status(), answer.headers(), answer.body())
                .withFailure(meaning);
    }
}
