package dev.semel.gateway.proxy;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.HandlerResponse;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import io.netty.handler.codec.EncoderException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.StreamResetException;
import org.jspecify.annotations.Nullable;

/**
 * Why there is no response of the upstream, and what that says about the operation: as long as no byte of a request was
 * sent it was not executed; from then on nobody can tell.
 */
record UpstreamFailure(Answer answer, RuntimeException meaning) {

    /** By which an HTTP/2 server says that it has not looked at a request (RFC 9113, 8.7). */
    private static final long REFUSED_STREAM = 7;

    /** No connection could be had. */
    static UpstreamFailure unreachable(Throwable cause) {
        if (cause instanceof ConnectionPoolTooBusyException) {
            return busy("Too many requests are waiting for the service behind this gateway.", cause);
        }
        return notExecuted(
                ProblemType.UPSTREAM_UNREACHABLE,
                "The service behind this gateway could not be reached. The request was not sent.",
                cause);
    }

    /** There was no room for the request. */
    static UpstreamFailure busy(String detail, @Nullable Throwable cause) {
        return notExecuted(ProblemType.NOT_EXECUTED, detail, cause);
    }

    /** No connection was free in time. */
    static UpstreamFailure noConnection() {
        return busy("No connection to the service behind this gateway was free in time.", null);
    }

    /** The connection broke, or what came back was no HTTP, after the request was sent. */
    static UpstreamFailure interrupted(Throwable cause) {
        if (cause instanceof StreamResetException reset && reset.getCode() == REFUSED_STREAM) {
            return unreachable(cause);
        }
        // Not any IllegalArgumentException: the decoder throws one too, at a response to what was sent.
        if (cause instanceof EncoderException) {
            return notExecuted(
                    ProblemType.NOT_EXECUTED,
                    "The request could not be written to the service behind this gateway, and was not sent.",
                    cause);
        }
        return unknown(
                ProblemType.UPSTREAM_INTERRUPTED,
                "The service behind this gateway broke off its answer. Whether it did what was asked is not known.",
                cause);
    }

    /** The request was sent, and no whole answer came in time. */
    static UpstreamFailure timedOut() {
        return unknown(
                ProblemType.UPSTREAM_TIMED_OUT,
                "The service behind this gateway did not answer in time. Whether it did what was asked is not known.",
                null);
    }

    private static UpstreamFailure notExecuted(ProblemType type, String detail, @Nullable Throwable cause) {
        return new UpstreamFailure(
                Problem.of(type, detail).answer().with("Retry-After", "1"), new NotExecutedException(detail, cause));
    }

    private static UpstreamFailure unknown(ProblemType type, String detail, @Nullable Throwable cause) {
        return new UpstreamFailure(Problem.of(type, detail).answer(), new OutcomeUnknownException(detail, cause));
    }

    HandlerResponse asResponse() {
        return new HandlerResponse(answer.status(), answer.headers(), answer.body(), meaning);
    }
}
