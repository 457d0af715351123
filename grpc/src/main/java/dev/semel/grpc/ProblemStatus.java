package dev.semel.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.semel.Header;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.ProblemType;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** The gRPC status of an answer from Semel itself, with {@code google.rpc.ErrorInfo} about its cause. */
final class ProblemStatus {

    static final String DOMAIN = "semel";

    /** The trailer that controls the retries of gRPC clients: the pause in milliseconds, or no retry if negative. */
    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private ProblemStatus() {}

    static StatusRuntimeException of(Answer answer, ProblemType cause) {
        com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                .setCode(code(cause).value())
                .setMessage(cause.title())
                .addDetails(Any.pack(info(cause)));
        long seconds = retryAfter(answer);
        if (seconds > 0) {
            status.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(Duration.newBuilder().setSeconds(seconds))
                    .build()));
        }
        StatusRuntimeException made = StatusProto.toStatusRuntimeException(status.build());
        Metadata trailers = made.getTrailers() == null ? new Metadata() : made.getTrailers();
        answer.headers().forEach(header -> StoredResponse.putAscii(trailers, header));
        trailers.put(PUSHBACK, Long.toString(seconds > 0 ? seconds * 1000 : -1));
        return made.getStatus().asRuntimeException(trailers);
    }

    /**
     * The status after an exception of the service. It never contains the exception's message, which may be anything.
     */
    static com.google.rpc.Status failed() {
        ProblemType cause = ProblemType.OPERATION_FAILED;
        return com.google.rpc.Status.newBuilder()
                .setCode(code(cause).value())
                .setMessage(cause.title())
                .addDetails(Any.pack(info(cause)))
                .build();
    }

    /** A stored error must not be asked for again and again. */
    static void forbidRetry(Metadata trailers) {
        trailers.discardAll(PUSHBACK);
        trailers.put(PUSHBACK, "-1");
    }

    private static ErrorInfo info(ProblemType cause) {
        return ErrorInfo.newBuilder()
                .setReason(cause.name())
                .setDomain(DOMAIN)
                .putMetadata("outcome", cause.outcome())
                .putMetadata("retry", cause.retry())
                .build();
    }

    private static long retryAfter(Answer answer) {
        return answer.headers().stream()
                .filter(header -> header.name().equals("Retry-After"))
                .map(Header::value)
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }

    static Status.Code code(ProblemType cause) {
        return switch (cause) {
            case KEY_MISSING, KEY_INVALID, KEY_NOT_DERIVABLE, KEY_REUSED -> Status.Code.INVALID_ARGUMENT;
            case CALLER_UNKNOWN -> Status.Code.UNAUTHENTICATED;
            case IN_FLIGHT -> Status.Code.ABORTED;
            case OUTCOME_UNKNOWN -> Status.Code.UNKNOWN;
            case KEY_EXPIRED, RESPONSE_NOT_RETAINED -> Status.Code.FAILED_PRECONDITION;
            case REQUEST_TOO_LARGE, CALLER_OVER_LIMIT -> Status.Code.RESOURCE_EXHAUSTED;
            case NOT_EXECUTED, STORE_UNAVAILABLE -> Status.Code.UNAVAILABLE;
            default -> Status.Code.INTERNAL;
        };
    }
}
