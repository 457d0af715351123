package dev.semel.examples.orders;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Attempt;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionalOperation;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.outbox.Outbox;
import dev.semel.outbox.OutboxMessage;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;

/** Takes orders over HTTP. The order, the message to the shipping service and the answer are one transaction. */
final class OrderService {

    private static final TransactionalPolicy POLICY =
            Policy.transactional("place-order").lease(Duration.ofSeconds(2)).build();

    private final TransactionalOperation<Connection, String> placeOrder;
    private final Outbox outbox;

    private OrderService(HikariDataSource pool) {
        Semel semel = Semel.builder(JdbcKeyStore.builder(pool).build()).build();
        this.placeOrder = semel.operation(POLICY, OutcomeCodec.text(), JdbcTransactions.of(pool));
        this.outbox = Outbox.builder(pool).build();
    }

    static void start(HikariDataSource pool, int port) throws IOException {
        OrderService service = new OrderService(pool);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/orders", service::handle);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        Reply reply;
        try {
            reply = key == null ? new Reply(400, "send an Idempotency-Key") : place(key, Order.parse(body), body);
        } catch (IllegalArgumentException e) {
            reply = new Reply(400, String.valueOf(e.getMessage()));
        } catch (StoreException | SQLException e) {
            reply = new Reply(503, "try again");
        }
        byte[] answer = (reply.text() + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private record Reply(int status, String text) {}

    private Reply place(String key, Order order, String body) throws SQLException {
        // A real service takes the scope from whom it has authenticated.
        Execution<String> execution = placeOrder.run(
                Key.of("shop", key), Fingerprint.of(body), (attempt, connection) -> insert(attempt, connection, order));
        if (execution instanceof Execution.Executed<String> || execution instanceof Execution.Replayed<String>) {
            return new Reply(201, execution.get());
        }
        if (execution instanceof Execution.Mismatched<String>) {
            return new Reply(422, "the key belongs to another order");
        }
        return new Reply(409, "the order is being placed");
    }

    private String insert(Attempt attempt, Connection connection, Order order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO placed_order (request, customer, cents) VALUES (?, ?, ?) RETURNING number")) {
            insert.setString(1, attempt.key().value());
            insert.setString(2, order.customer());
            insert.setLong(3, order.cents());
            try (ResultSet row = insert.executeQuery()) {
                row.next();
                long number = row.getLong(1);
                outbox.add(
                        connection,
                        OutboxMessage.of("orders", number + " " + order.cents())
                                .withAggregate(order.customer())
                                .withKey(attempt.childKey("order-placed")));
                return "order " + number;
            }
        }
    }
}
