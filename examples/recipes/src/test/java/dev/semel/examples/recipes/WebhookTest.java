package dev.semel.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.examples.recipes.Webhook.Event;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookTest {

    private final RecipeStore store = new RecipeStore();

    @BeforeEach
    void createTable() {
        TestPostgres.execute(store.pool(), "CREATE TABLE paid (invoice text)");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aRedeliveredEventIsHandledOnce() throws Exception {
        Webhook webhook = new Webhook(store.semel(), store.pool(), WebhookTest::book);

        assertThat(webhook.deliver(new Event("evt_1", "invoice-1"))).isEqualTo(200);
        assertThat(webhook.deliver(new Event("evt_1", "invoice-1 written again")))
                .isEqualTo(200);

        assertThat(store.count("paid")).isOne();
    }

    @Test
    void anEventWhoseHandlerFailedIsHandledByTheNextDelivery() throws Exception {
        Webhook failing = new Webhook(store.semel(), store.pool(), (event, connection) -> {
            book(event, connection);
            throw new IllegalStateException("no such customer yet");
        });
        assertThatThrownBy(() -> failing.deliver(new Event("evt_1", "invoice-1")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.count("paid")).isZero();

        Webhook webhook = new Webhook(store.semel(), store.pool(), WebhookTest::book);

        assertThat(webhook.deliver(new Event("evt_1", "invoice-1"))).isEqualTo(200);
        assertThat(store.count("paid")).isOne();
    }

    @Test
    void anEventThatIsBeingHandledIsDeliveredAgainLater() throws Exception {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Void> mayEnd = new CompletableFuture<>();
        Webhook webhook = new Webhook(store.semel(), store.pool(), (event, connection) -> {
            started.complete(null);
            mayEnd.join();
            return book(event, connection);
        });
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> {
            try {
                return webhook.deliver(new Event("evt_1", "invoice-1"));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        started.join();

        assertThat(webhook.deliver(new Event("evt_1", "invoice-1"))).isEqualTo(503);

        mayEnd.complete(null);
        assertThat(first.join()).isEqualTo(200);
        assertThat(webhook.deliver(new Event("evt_1", "invoice-1"))).isEqualTo(200);
        assertThat(store.count("paid")).isOne();
    }

    private static String book(Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO paid (invoice) VALUES (?)")) {
            insert.setString(1, event.invoice());
            insert.executeUpdate();
            return "booked";
        }
    }
}
