package dev.semel.grpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.semel.http.HttpRules;
import dev.semel.http.ReplayHeaders;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How the calls of one method are made safe to retry: its policy, and the settings for gRPC. */
public final class GrpcRules {

    private final String method;
    private final @Nullable FieldDescriptor keyField;
    private final HttpRules rules;

    private GrpcRules(Builder builder) {
        this.method = builder.method.getFullMethodName();
        this.keyField = builder.keyField;
        this.rules = HttpRules.builder(builder.policy)
                .headerName(SemelClientInterceptor.KEY.name())
                .keyRequired(builder.keyRequired)
                .methods(MessageReader.METHOD)
                .maxPreferredWait(builder.maxPreferredWait)
                .publishExpiry(builder.publishExpiry)
                .refusedStatuses(Arrays.stream(builder.refused)
                        .map(StoredResponse::statusOf)
                        .toArray(Integer[]::new))
                .replayHeaders(ReplayHeaders.standard().and(StoredResponse.HEADERS))
                .build();
    }

    /**
     * Starts building the rules of a method, which must be unary.
     *
     * @param method the generated descriptor, for example {@code PaymentsGrpc.getChargeMethod()}
     */
    public static Builder builder(MethodDescriptor<?, ?> method, ExternalPolicy policy) {
        return new Builder(method, policy);
    }

    /** The default rules for this method and policy. */
    public static GrpcRules of(MethodDescriptor<?, ?> method, ExternalPolicy policy) {
        return builder(method, policy).build();
    }

    String method() {
        return method;
    }

    @Nullable
    FieldDescriptor keyField() {
        return keyField;
    }

    HttpRules http() {
        return rules;
    }

    /** Makes {@link GrpcRules}. */
    public static final class Builder {

        private final MethodDescriptor<?, ?> method;
        private final ExternalPolicy policy;
        private @Nullable FieldDescriptor keyField;
        private boolean keyRequired = true;
        private boolean publishExpiry;
        private Duration maxPreferredWait = Duration.ZERO;
        private Status.Code[] refused = {};

        private Builder(MethodDescriptor<?, ?> method, ExternalPolicy policy) {
            if (method.getType() != MethodDescriptor.MethodType.UNARY) {
                throw new IllegalArgumentException("method " + method.getFullMethodName() + " is " + method.getType()
                        + ", and only unary calls can be replayed: leave it out, or split it into unary calls");
            }
            if (policy.duplicates() instanceof Duplicates.Accepted) {
                throw new IllegalArgumentException("duplicates of operation " + policy.operation()
                        + " cannot be accepted for later, which gRPC has no status for: reject them, or let them wait");
            }
            this.method = method;
            this.policy = policy;
        }

        /**
         * The field of the request that holds the key, such as {@code request_id} of AIP-155; by default the key is in the
         * metadata {@code idempotency-key}.
         */
        public Builder keyField(String name) {
            FieldDescriptor field =
                    method.getRequestMarshaller() instanceof MethodDescriptor.PrototypeMarshaller<?> known
                                    && known.getMessagePrototype() instanceof Message prototype
                            ? prototype.getDescriptorForType().findFieldByName(name)
                            : null;
            if (field == null || field.getJavaType() != FieldDescriptor.JavaType.STRING || field.isRepeated()) {
                throw new IllegalArgumentException("the request of method " + method.getFullMethodName()
                        + " has no string field \"" + name + "\" that could hold a key");
            }
            this.keyField = field;
            return this;
        }

        /** Whether a call without a key is refused; otherwise it passes through unprotected and is counted. */
        public Builder keyRequired(boolean keyRequired) {
            this.keyRequired = keyRequired;
            return this;
        }

        /** Whether responses carry {@code idempotency-expires}, the time until which the key replays. */
        public Builder publishExpiry(boolean publishExpiry) {
            this.publishExpiry = publishExpiry;
            return this;
        }

        /** How long a client may make a duplicate wait with {@code prefer: wait=N}; zero for not at all. */
        public Builder maxPreferredWait(Duration limit) {
            this.maxPreferredWait = limit;
            return this;
        }

        /** The statuses which mean that the service refused the call before it did anything; none by default. */
        public Builder refused(Status.Code... codes) {
            this.refused = codes.clone();
            return this;
        }

        public GrpcRules build() {
            return new GrpcRules(this);
        }
    }
}
