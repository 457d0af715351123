package dev.semel.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller of a call. Two calls of one caller must give the same scope, also when its token was refreshed
 * in between, and no caller may be able to choose another's: use the result of authentication in the {@link
 * io.grpc.Context}, or the certificate of the peer, never metadata that the client writes.
 */
@FunctionalInterface
public interface CallerScope {

    /** The caller, or {@code null} if it is unknown: the call is then refused. */
    @Nullable
    String scope(ServerCall<?, ?> call, Metadata headers);

    /** For services with a single caller: all calls share their keys. */
    static CallerScope fixed(String scope) {
        return (call, headers) -> scope;
    }
}
