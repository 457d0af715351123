package dev.semel.examples.recipes;

// quoted: program
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** Sends statements every night. Every node starts it, and only one of them sends. */
public final class ScheduledJob {

    /** Sends a statement, unless it has been sent under this key before. */
    interface Mailer {

        String send(String customer, String key);
    }

    private final ExternalOperation<String> statements;
    private final Mailer mailer;

    ScheduledJob(Semel semel, Mailer mailer) {
        this.mailer = mailer;
        this.statements = semel.operation(
                Policy.external("nightly-statements")
                        .recovery(Recovery.RE_EXECUTE)
                        .retention(Duration.ofDays(35))
                        .build(),
                OutcomeCodec.text());
    }

    /** Runs the job of this day once. Returns false while another node runs it: call it again later. */
    boolean run(LocalDate day, List<String> customers) throws Exception {
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
        return !(execution instanceof Execution.InFlight);
    }

    /** Arguments: the database, such as {@code jdbc:postgresql://db/jobs?user=jobs}, and the day. */
    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(arguments[0]);
        try (JdbcKeyStore store =
                        JdbcKeyStore.builder(database).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            ScheduledJob job = new ScheduledJob(semel, (customer, key) -> {
                System.out.println("a statement to " + customer); // call your mail service here, with the key
                return key;
            });
            while (!job.run(LocalDate.parse(arguments[1]), List.of("ann", "bob"))) {
                Thread.sleep(5000);
            }
        }
    }
}
// end
