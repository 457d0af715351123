package dev.semel.examples.recipes;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionalOperation;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Receives the events of a provider, which it delivers at least once. */
final class Webhook {

    record Event(String id, String invoice) {}

    /** What is done with an event, in the transaction that also says that it was done. */
    interface Handler {

        String handle(Event event, Connection connection) throws SQLException;
    }

    private final TransactionalOperation<Connection, String> receive;
    private final Handler handler;

    Webhook(Semel semel, DataSource dataSource, Handler handler) {
        this.handler = handler;
        // quoted: operation
        TransactionalOperation<Connection, String> receive = semel.operation(
                Policy.singleTransaction("provider-event")
                        .retention(Duration.ofDays(4)) // the provider delivers again for three days
                        .build(),
                OutcomeCodec.text(),
                JdbcTransactions.of(dataSource));
        // end
        this.receive = receive;
    }

    /** The status to answer with. The signature has been verified before. */
    int deliver(Event event) throws SQLException {
        // quoted: deliver
        Execution<String> execution = receive.run(
                Key.of("provider", event.id()),
                Fingerprint.of(event.id()), // not the body: providers write it again for each delivery
                (attempt, connection) -> handler.handle(event, connection));
        return execution instanceof Execution.InFlight ? 503 : 200; // 503: deliver it again later
        // end
    }
}
