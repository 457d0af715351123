package dev.semel.http;

import dev.semel.http.problem.Answer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The gate's decision about a request, from its head. */
public sealed interface Admission permits Admission.PassThrough, Admission.Refused, Admission.Status, Exchange {

    /** The request goes on untouched. */
    record PassThrough() implements Admission {}

    /** The request is answered with this, and not run. */
    record Refused(Answer answer) implements Admission {}

    /** The request asks for the outcome of an operation. */
    interface StatusLookup {

        /** The answer for this caller; {@code null} for an unknown caller. */
        CompletionStage<Answer> answer(@Nullable String scope);
    }

    /** The request asks for the outcome of an operation. */
    record Status(StatusLookup lookup) implements Admission {}
}
