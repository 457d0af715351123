package dev.semel.examples.grpc;

import dev.semel.Attempt;
import dev.semel.examples.grpc.messages.ChargeRequest;
import dev.semel.examples.grpc.messages.PaymentsGrpc;
import dev.semel.examples.grpc.messages.Receipt;
import dev.semel.grpc.SemelServerInterceptor;
import io.grpc.stub.StreamObserver;
import java.sql.SQLException;

/** Charges cards. */
class PaymentsService extends PaymentsGrpc.PaymentsImplBase {

    private final Processor processor;

    PaymentsService(Processor processor) {
        this.processor = processor;
    }

    @Override
    public void charge(ChargeRequest request, StreamObserver<Receipt> response) {
        Attempt attempt = SemelServerInterceptor.attempt().orElseThrow();
        try {
            // Another attempt of the same call has the same child key, so the processor charges once.
            String id = processor.charge(attempt.childKey("charge"), request.getOrder(), request.getCents());
            charged(request);
            response.onNext(Receipt.newBuilder().setId(id).build());
            response.onCompleted();
        } catch (SQLException e) {
            response.onError(e);
        }
    }

    /** Tests stop here. */
    void charged(ChargeRequest request) {}
}
