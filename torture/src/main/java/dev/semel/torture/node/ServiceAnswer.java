package dev.semel.torture.node;

import dev.semel.Attempt;
import dev.semel.Outcome;
import dev.semel.torture.service.ServiceRequest;
import java.nio.charset.StandardCharsets;

/** What the service behind a filter answers to a request. */
record ServiceAnswer(int status, byte[] body) {

    private static final int FAILED = 500;

    /** A failure of the service itself is answered by it; whatever else is thrown concerns those around it. */
    static ServiceAnswer of(SemelSystem system, ServiceRequest request, Attempt attempt) throws Exception {
        try {
            Outcome outcome = system.handle(request, attempt);
            return new ServiceAnswer(outcome.status(), outcome.requirePayload());
        } catch (IllegalStateException e) {
            return new ServiceAnswer(FAILED, e.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
