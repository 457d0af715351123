package dev.semel.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Gives each call of some methods a key: its {@link #OPERATION_KEY}, or a new one. The retries that are built
 * into gRPC send the same key again, so a channel gets its {@link #serviceConfig} too.
 */
public final class SemelClientInterceptor implements ClientInterceptor {

    static final Metadata.Key<String> KEY = Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER);

    /** The key of one call, if the application chooses it, for example to keep it across a restart. */
    public static final CallOptions.Key<String> OPERATION_KEY = CallOptions.Key.create("dev.semel.key");

    private final Set<String> methods;

    private SemelClientInterceptor(Set<String> methods) {
        this.methods = methods;
    }

    /** An interceptor for these methods, which must be unary; all others pass through unchanged. */
    public static SemelClientInterceptor of(MethodDescriptor<?, ?>... methods) {
        for (MethodDescriptor<?, ?> method : methods) {
            if (method.getType() != MethodDescriptor.MethodType.UNARY) {
                throw new IllegalArgumentException("method " + method.getFullMethodName() + " is " + method.getType()
                        + ", and only unary calls can have a key");
            }
        }
        return new SemelClientInterceptor(Arrays.stream(methods)
                .map(MethodDescriptor::getFullMethodName)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * The service configuration that lets a channel retry these methods: after {@code UNAVAILABLE}, and after {@code
     * ABORTED}, which a server sends while the first try is still running. The server sets the pause.
     *
     * @param attempts how often a call is sent at most, from 2 to 5
     */
    public Map<String, ?> serviceConfig(int attempts) {
        if (attempts < 2 || attempts > 5) {
            throw new IllegalArgumentException("a call is sent 2 to 5 times at most, got " + attempts);
        }
        List<Map<String, String>> names = methods.stream()
                .map(method -> Map.of(
                        "service",
                        MethodDescriptor.extractFullServiceName(method),
                        "method",
                        method.substring(method.lastIndexOf('/') + 1)))
                .toList();
        Map<String, Object> retries = Map.of(
                "maxAttempts",
                (double) attempts,
                "initialBackoff",
                "0.2s",
                "maxBackoff",
                "5s",
                "backoffMultiplier",
                2.0,
                "retryableStatusCodes",
                List.of("UNAVAILABLE", "ABORTED"));
        return Map.of("methodConfig", List.of(Map.of("name", names, "retryPolicy", retries)));
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        ClientCall<Q, R> call = next.newCall(method, options);
        if (!methods.contains(method.getFullMethodName())) {
            return call;
        }
        return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                if (!headers.containsKey(KEY)) {
                    String own = options.getOption(OPERATION_KEY);
                    headers.put(KEY, own == null ? UUID.randomUUID().toString() : own);
                }
                super.start(listener, headers);
            }
        };
    }
}
