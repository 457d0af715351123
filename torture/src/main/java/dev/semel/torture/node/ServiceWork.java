package dev.semel.torture.node;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelException;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.sql.Connection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** What the operations of the service do in an attempt. */
record ServiceWork(Semel semel, Map<Operation, Policy> policies, Business business, Bug bug) {

    /** Has its effect outside the database. */
    Outcome outside(ServiceRequest request, Attempt attempt) throws Exception {
        if (request.behaviour() == Behaviour.DENIED_INSIDE) {
            return deniedInside(request, attempt);
        }
        if (request.behaviour() != Behaviour.STEP) {
            return outcome(business.runOutside(request, attempt.number(), attempt.token()));
        }
        business.prepare(request);
        step(request, attempt, "quote", request::id);
        step(request, attempt, Business.EFFECT, () -> {
            business.effect(request, attempt.number(), attempt.token());
            return request.id();
        });
        business.finish(request);
        return outcome(business.outcome(request, attempt.number(), attempt.token()));
    }

    /** What the step gives is durable, and every later attempt must be given the same. */
    private void step(ServiceRequest request, Attempt attempt, String name, Callable<String> work) throws Exception {
        business.recorded(request, attempt.token(), name, attempt.step(name, Codec.text(), work));
    }

    /** Has its effect, and then an operation inside it is denied, which says nothing about this one. */
    private Outcome deniedInside(ServiceRequest request, Attempt attempt) throws Exception {
        business.runOutside(request, attempt.number(), attempt.token());
        try {
            return semel.operation(redo())
                    .run(
                            Key.of(request.scope(), attempt.childKey("denied")),
                            Fingerprint.of(request.body()),
                            ServiceWork::deny)
                    .get();
        } catch (NotExecutedException e) {
            throw bug == Bug.DENIAL_RELEASES ? new NotExecutedException("denied inside", null) : e;
        }
    }

    private static Outcome deny(Attempt attempt) {
        throw new NotExecutedException("denied, as the request asked for", null);
    }

    /** Has its effect in an operation inside this one, and passes on what that one ended with. */
    Outcome order(ServiceRequest request, Attempt attempt, Fingerprint fingerprint) throws Exception {
        Key key = bug.childKey(Key.of(request.scope(), attempt.childKey("redo")), "redo", attempt.number());
        try {
            return semel.operation(redo())
                    .run(key, bug.ofChild(fingerprint), inner -> outside(request, inner))
                    .get();
        } catch (SemelException e) {
            throw bug == Bug.CAUSES_DROPPED ? new IllegalStateException(e.toString()) : e;
        }
    }

    private ExternalPolicy redo() {
        return (ExternalPolicy) Objects.requireNonNull(policies.get(Operation.REDO));
    }

    Outcome inTransaction(ServiceRequest request, Attempt attempt, Connection connection) throws Exception {
        business.prepare(request);
        business.effect(request, attempt.number(), attempt.token(), connection);
        business.finish(request);
        return outcome(business.outcome(request, attempt.number(), attempt.token()));
    }

    private static Outcome outcome(byte[] payload) {
        return Outcome.succeeded().status(200).payload(payload).build();
    }
}
