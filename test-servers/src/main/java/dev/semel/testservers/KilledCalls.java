package dev.semel.testservers;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Calls whose process is killed between the claim of their key and its settle. Each call is the only one of a process, and
 * its process is killed when it says that it has come to its {@link Moment}. What a call does is to charge an order.
 */
public final class KilledCalls implements AutoCloseable {

    /** Where a call is when its process is killed. */
    public enum Moment {
        /** The key is claimed, and nothing is done yet. */
        CLAIMED,
        /** The order is charged, and the service has not returned. */
        CHARGED,
        /** The service has returned, and its outcome is to be stored. */
        SETTLING
    }

    /** Sends a call for an order to a server on this port, and does not wait for its answer. */
    public interface Sender {

        void send(int port, String order);
    }

    /** As many as this machine has cores for: starting a process keeps one busy. */
    private static final int AT_A_TIME = 2;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String database;
    private final HikariDataSource pool;

    public KilledCalls(String database) {
        this.database = database;
        this.pool = TestPostgres.pool(database, 10);
        TestPostgres.execute(
                pool,
                "create table charges (order_id text not null)",
                "create table moments (order_id text not null, moment text not null)");
    }

    public HikariDataSource pool() {
        return pool;
    }

    /**
     * Starts as many processes, sends each a call, and kills it at the call's moment.
     *
     * @param main is started with the database's address and the name of a moment
     * @return the orders of the calls, with the moments of their ends
     */
    public Map<String, Moment> kill(int calls, Class<?> main, Sender sender) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            Map<String, Moment> moments = new LinkedHashMap<>();
            Map<String, Future<?>> kills = new LinkedHashMap<>();
            for (int i = 0; i < calls; i++) {
                String order = UUID.randomUUID().toString();
                Moment moment = Moment.values()[i % Moment.values().length];
                moments.put(order, moment);
                kills.put(order, executor.submit(killing(order, moment, main, sender)));
            }
            for (Future<?> kill : kills.values()) {
                kill.get();
            }
            return moments;
        } finally {
            executor.shutdownNow();
        }
    }

    private Callable<Void> killing(String order, Moment moment, Class<?> main, Sender sender) {
        return () -> {
            try (TestProcess doomed = TestProcess.start(main, TestPostgres.url(database), moment.name())) {
                sender.send(doomed.port(), order);
                Waiting.require("the call at " + moment, LIMIT, () -> count("moments", order) == 1);
            }
            return null;
        };
    }

    /** How often an order was charged. */
    public long charges(String order) {
        return count("charges", order);
    }

    private long count(String table, String order) {
        return TestPostgres.number(pool, "select count(*) from " + table + " where order_id = '" + order + "'");
    }

    /**
     * What the service of a process does that is to be killed.
     *
     * @param settling returns when an outcome is to be stored, which the process must not do
     */
    public static Consumer<String> doomed(DataSource pool, Moment moment, Runnable settling) {
        return order -> {
            if (moment != Moment.CLAIMED) {
                charge(pool, order);
            }
            if (moment != Moment.SETTLING) {
                awaitTheEnd(pool, order, moment);
                return;
            }
            Thread waiting = new Thread(() -> {
                settling.run();
                awaitTheEnd(pool, order, moment);
            });
            waiting.setDaemon(true);
            waiting.start();
        };
    }

    /** Says that a call has come to its moment, and waits until the process is killed. */
    private static void awaitTheEnd(DataSource pool, String order, Moment moment) {
        TestPostgres.execute(pool, "insert into moments values ('" + order + "', '" + moment + "')");
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the service of a process does that lives on. */
    public static void charge(DataSource pool, String order) {
        TestPostgres.execute(pool, "insert into charges values ('" + order + "')");
    }

    @Override
    public void close() {
        pool.close();
    }
}
