package dev.semel.grpc;

import io.grpc.ForwardingServerCall;
import io.grpc.ServerCall;

/** A call whose message has arrived before its service was started. */
class PassedCall<Q, R> extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {

    PassedCall(ServerCall<Q, R> call) {
        super(call);
    }

    @Override
    public void request(int messages) {
        // Asked for already.
    }
}
