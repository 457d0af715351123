package dev.semel.grpc;

import dev.semel.Attempt;
import dev.semel.http.HttpGate;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Makes unary calls safe to retry. Install it behind authentication and before everything that has effects. It waits
 * for the store on the thread of the call: give the server an executor, and not {@code directExecutor()}.
 */
public final class SemelServerInterceptor implements ServerInterceptor {

    static final Context.Key<Attempt> ATTEMPT = Context.key("dev.semel.attempt");

    private final HttpGate gate;
    private final CallerScope scopes;
    private final Map<String, GrpcRules> rules;
    private final Executor executor;

    private SemelServerInterceptor(Builder builder) {
        this.gate = builder.gate;
        this.scopes = builder.scopes;
        this.rules = Map.copyOf(builder.rules);
        this.executor = builder.executor;
    }

    /** An interceptor that identifies callers with {@code scopes}. */
    public static Builder builder(HttpGate gate, CallerScope scopes) {
        return new Builder(gate, scopes);
    }

    /** The attempt of the current call, for services; empty if the call is not guarded. */
    public static Optional<Attempt> attempt() {
        return Optional.ofNullable(ATTEMPT.get());
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        GrpcRules own = rules.get(call.getMethodDescriptor().getFullMethodName());
        if (own == null) {
            return next.startCall(call, headers);
        }
        // The message decides what is done with the call. The second one is asked for to learn that there is none.
        call.request(2);
        return new GuardedCall<>(gate, own, scopes, executor, call, headers, next);
    }

    /** Builds a {@link SemelServerInterceptor}. */
    public static final class Builder {

        private final HttpGate gate;
        private final CallerScope scopes;
        private final Map<String, GrpcRules> rules = new HashMap<>();
        private Executor executor = ForkJoinPool.commonPool();

        private Builder(HttpGate gate, CallerScope scopes) {
            this.gate = gate;
            this.scopes = scopes;
        }

        /** Guards the method of these rules; all others pass through untouched. */
        public Builder guard(GrpcRules own) {
            gate.validate(own.http());
            if (rules.putIfAbsent(own.method(), own) != null) {
                throw new IllegalArgumentException("method " + own.method() + " was given rules before");
            }
            return this;
        }

        /** The executor that sends responses once their outcome is stored; the common pool by default. */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        public SemelServerInterceptor build() {
            return new SemelServerInterceptor(this);
        }
    }
}
