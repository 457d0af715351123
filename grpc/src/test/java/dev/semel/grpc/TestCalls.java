package dev.semel.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RequestInfo;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends calls of one test. */
final class TestCalls {

    static final Metadata.Key<String> CALLER = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    static final Metadata.Key<String> REPLAYED =
            Metadata.Key.of("idempotent-replayed", Metadata.ASCII_STRING_MARSHALLER);

    private TestCalls() {}

    /** A method of the test service; a request says in {@code serving_data} what the service is to do. */
    static MethodDescriptor<RequestInfo, StringValue> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<RequestInfo, StringValue>newBuilder()
                .setType(type)
                .setFullMethodName(PaymentsService.NAME + "/" + name)
                .setRequestMarshaller(ProtoUtils.marshaller(RequestInfo.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .build();
    }

    static MethodDescriptor<RequestInfo, StringValue> method(String name) {
        return method(name, MethodDescriptor.MethodType.UNARY);
    }

    static RequestInfo request(String id, String what) {
        return RequestInfo.newBuilder().setRequestId(id).setServingData(what).build();
    }

    static Metadata headers(String... keys) {
        Metadata headers = new Metadata();
        headers.put(CALLER, "alice.1");
        for (String key : keys) {
            headers.put(SemelClientInterceptor.KEY, key);
        }
        return headers;
    }

    /** A call under way. */
    record Sent(ClientCall<RequestInfo, StringValue> call, CompletableFuture<Result> later) {

        Result now() {
            return later.orTimeout(60, TimeUnit.SECONDS).join();
        }
    }

    static Sent send(
            Channel channel, MethodDescriptor<RequestInfo, StringValue> method, Metadata headers, RequestInfo request) {
        return send(channel, method, CallOptions.DEFAULT, headers, request);
    }

    static Sent send(
            Channel channel,
            MethodDescriptor<RequestInfo, StringValue> method,
            CallOptions options,
            Metadata headers,
            RequestInfo request) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        ClientCall<RequestInfo, StringValue> call = channel.newCall(method, options);
        call.start(
                new ClientCall.Listener<>() {
                    private StringValue message;

                    @Override
                    public void onMessage(StringValue value) {
                        message = value;
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        result.complete(new Result(status, trailers, message));
                    }
                },
                headers);
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        return new Sent(call, result);
    }

    /** How a call ended. */
    record Result(Status status, Metadata trailers, StringValue message) {

        String text() {
            return message == null ? status.getCode() + " " + status.getDescription() : message.getValue();
        }

        boolean isReplay() {
            return "true".equals(trailers.get(REPLAYED));
        }

        Optional<ErrorInfo> error() {
            return detail(ErrorInfo.class);
        }

        Optional<RetryInfo> retry() {
            return detail(RetryInfo.class);
        }

        private <T extends com.google.protobuf.Message> Optional<T> detail(Class<T> type) {
            com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
            for (Any any : details.getDetailsList()) {
                if (any.is(type)) {
                    try {
                        return Optional.of(any.unpack(type));
                    } catch (InvalidProtocolBufferException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            return Optional.empty();
        }
    }
}
