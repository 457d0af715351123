package dev.semel.torture.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.Failpoints;
import dev.semel.torture.service.SystemUnderTest;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the conductor can do to a node from inside: {@code /control/WHAT/ARGUMENT}. */
record ControlHandler(
        Failpoints failpoints,
        Business business,
        SystemUnderTest system,
        @Nullable HikariDataSource pool) implements HttpHandler {

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            control(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(204, -1);
        }
    }

    void control(String uri) {
        String[] path = uri.split("/");
        switch (path[2]) {
            case "arm" -> failpoints.arm(path[3]);
            case "stop" -> failpoints.stopAt(path[3]);
            case "go" -> failpoints.stopNowhere();
            case "memory" -> business.runOutOfMemory();
            case "heartbeat", "renewals", "executor" -> disturb(path[2], Long.parseLong(path[3]));
            case "pool" -> exhaustPool(Long.parseLong(path[3]));
            default -> throw new IllegalArgumentException("there is no control " + path[2]);
        }
    }

    private void disturb(String what, long millis) {
        if (system instanceof SemelSystem semel) {
            semel.disturb(what, millis);
        }
    }

    /** Takes every connection there is, as a leak or a slow query would. */
    private void exhaustPool(long millis) {
        Thread taker = new Thread(
                () -> {
                    List<Connection> taken = new ArrayList<>();
                    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                    try {
                        while (System.nanoTime() < until) {
                            takeOne(taken);
                        }
                        for (Connection connection : taken) {
                            connection.close();
                        }
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "pool-exhaustion");
        taker.setDaemon(true);
        taker.start();
    }

    private void takeOne(List<Connection> taken) {
        try {
            taken.add(Objects.requireNonNull(pool).getConnection());
        } catch (SQLException e) {
            // There is none left, which is what is wanted: wait for the next.
            return;
        }
    }
}
