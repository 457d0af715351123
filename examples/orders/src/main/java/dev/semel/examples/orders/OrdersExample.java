package dev.semel.examples.orders;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.kafka.IdempotentConsumer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Starts one of the services, all of them together, or the torture that kills them. */
public final class OrdersExample {

    private OrdersExample() {}

    public static void main(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "demo" : arguments[0];
        switch (what) {
            case "demo" -> demo();
            case "torture" -> System.exit(TortureCommand.run(arguments));
            case "service" -> {
                OrderService.start(Database.pool(arguments[1]), Integer.parseInt(arguments[3]));
                new CountDownLatch(1).await();
            }
            case "relay" -> {
                Relay.start(Database.pool(arguments[1]), arguments[2]);
                new CountDownLatch(1).await();
            }
            case "shipping" ->
                Shipping.consumer(Database.pool(arguments[1]), arguments[2], Path.of(arguments[3]))
                        .run();
            default -> throw new IllegalArgumentException("there is no part \"" + what + "\"");
        }
    }

    private static void demo() throws Exception {
        int port = 8080;
        Servers servers = Servers.start();
        HikariDataSource pool = Database.pool(servers.database());
        Database.create(pool);
        OrderService.start(pool, port);
        Relay.start(pool, servers.kafka());
        IdempotentConsumer<String, String> shipping = Shipping.consumer(pool, servers.kafka(), null);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(shipping, servers)));
        System.out.println("Orders are taken at http://127.0.0.1:" + port + "/orders; the database is at "
                + servers.database() + ". Send one twice:");
        System.out.println("  curl -d 'alice 1999' -H 'Idempotency-Key: order-1' http://127.0.0.1:" + port + "/orders");
        shipping.run();
    }

    private static void end(IdempotentConsumer<String, String> shipping, Servers servers) {
        shipping.close();
        try {
            servers.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
