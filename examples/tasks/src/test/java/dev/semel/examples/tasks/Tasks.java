package dev.semel.examples.tasks;

import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionalOperation;
import dev.semel.jackson.Jackson3Json;
import dev.semel.jackson.Json;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Reconciler.Verdict;
import dev.semel.policy.Recovery;
import dev.semel.redis.RedisKeyStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;
import tools.jackson.databind.json.JsonMapper;

/** What docs/tasks.md quotes: each part from a line {@code // quoted: NAME} to the next {@code // end}. */
final class Tasks {

    record Receipt(String id, long cents) {}

    /** A payment processor that takes keys itself. */
    interface Processor {

        Receipt charge(long cents, String key);
    }

    /** A bank that can be asked whether a transfer took place. */
    interface Bank {

        String transfer(String reference);

        CompletionStage<Optional<String>> find(String reference);
    }

    private static final OutcomeCodec<String> TEXT = OutcomeCodec.text();

    private Tasks() {}

    static Receipt charge(Semel semel, Processor processor, String merchant, String order) {
        // quoted: json
        Json json = new Jackson3Json(JsonMapper.shared());
        ExternalPolicy policy = Policy.external("charge").build();
        ExternalOperation<Receipt> charge = semel.operation(policy, json.outcomes(Receipt.class));

        Execution<Receipt> execution = charge.run(
                Key.of(merchant, order),
                Fingerprint.of(order, "4200"),
                attempt -> processor.charge(4200, attempt.childKey("charge")));
        Receipt receipt = execution.get(); // run now, or replayed
        // end
        return receipt;
    }

    static String placeOrder(Semel semel, DataSource dataSource, String customer, String order) throws SQLException {
        // quoted: transaction
        TransactionalOperation<Connection, String> placeOrder = semel.operation(
                Policy.transactional("place-order").build(), OutcomeCodec.text(), JdbcTransactions.of(dataSource));

        String id = placeOrder
                .run(Key.of(customer, order), Fingerprint.of(order), (attempt, connection) -> insert(connection, order))
                .get(); // the order and its outcome are committed together
        // end
        return id;
    }

    private static String insert(Connection connection, String order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (name) VALUES (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
            return order + " placed";
        }
    }

    static String onRedis(String url, Supplier<String> mailer, String customer) {
        // quoted: redis
        try (RedisKeyStore store = RedisKeyStore.builder(url).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            ExternalOperation<String> welcome =
                    semel.operation(Policy.external("welcome-mail").build(), OutcomeCodec.text());
            return welcome.run(Key.of(customer, "welcome"), Fingerprint.of(customer), attempt -> mailer.get())
                    .get();
        }
        // end
    }

    static String report(Semel semel, Supplier<String> work, String month) {
        // quoted: wait
        ExternalPolicy policy = Policy.external("report")
                .duplicates(Duplicates.waitFor(Duration.ofSeconds(10)))
                .build();
        ExternalOperation<String> report = semel.operation(policy, OutcomeCodec.text());

        Execution<String> execution = report.run(Key.of("books", month), Fingerprint.of(month), attempt -> work.get());
        return execution instanceof Execution.InFlight ? "ask again later" : execution.get();
        // end
    }

    static String transfer(Semel.Builder builder, Bank bank, String reference) {
        // quoted: unknown
        Reconciler reconciler = lapsed -> bank.find(lapsed.key().value())
                .thenApply(id -> id.isPresent() ? new Verdict.Done(TEXT.encode(id.get())) : new Verdict.CannotTell());
        try (Semel semel = builder.reconciler("transfer", reconciler).build()) {
            ExternalPolicy policy =
                    Policy.external("transfer").recovery(Recovery.RECONCILE).build();
            Execution<String> execution = semel.operation(policy, TEXT)
                    .run(Key.of("me", reference), Fingerprint.of(reference), attempt -> bank.transfer(reference));
            return execution instanceof Execution.Unknown ? "a person has to look" : execution.get();
        }
        // end
    }
}
