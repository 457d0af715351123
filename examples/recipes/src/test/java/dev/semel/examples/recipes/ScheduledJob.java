package dev.semel.examples.recipes;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;

/** Sends statements every night. Every node schedules it, and one of them does it. */
final class ScheduledJob {

    /** Sends a statement; a key that it knows is not sent again. */
    interface Mailer {

        String send(String customer, String key);
    }

    private final ExternalOperation<String> statements;
    private final Mailer mailer;

    ScheduledJob(Semel semel, Mailer mailer) {
        this.mailer = mailer;
        // quoted: operation
        ExternalPolicy policy = Policy.external("nightly-statements")
                .recovery(Recovery.RE_EXECUTE)
                .retention(Duration.ofDays(35))
                .build();
        ExternalOperation<String> statements = semel.operation(policy, OutcomeCodec.text());
        // end
        this.statements = statements;
    }

    /** Called by each node's scheduler, and again as long as it says false. */
    boolean run(LocalDate day, List<String> customers) throws Exception {
        // quoted: run
        Execution<String> execution =
                statements.run(Key.of("jobs", day.toString()), Fingerprint.of(day.toString()), attempt -> {
                    for (String customer : customers) {
                        attempt.step(
                                "to " + customer,
                                Codec.text(),
                                () -> mailer.send(customer, attempt.childKey(customer)));
                    }
                    return customers.size() + " sent";
                });
        return !(execution instanceof Execution.InFlight); // another node is at it
        // end
    }
}
