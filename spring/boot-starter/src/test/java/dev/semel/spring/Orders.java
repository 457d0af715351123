package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.policy.Mode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** A bean whose methods are operations of every kind. */
class Orders {

    record Order(String number, int amount) {}

    record Receipt(String number, int amount, int run) {}

    private final AtomicInteger runs = new AtomicInteger();
    private volatile boolean failing;
    private final JdbcTemplate jdbc;

    Orders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    AtomicInteger runs() {
        return runs;
    }

    void fail(boolean fail) {
        failing = fail;
    }

    @Idempotent(value = "orders.external", key = "#order.number", ignore = "/note")
    Receipt external(Order order, String note) {
        int run = runs.incrementAndGet();
        if (failing) {
            throw new IllegalStateException("the processor said no");
        }
        return new Receipt(order.number(), order.amount(), run);
    }

    @Idempotent(value = "orders.scoped", key = "#number", scope = "#caller")
    int scoped(String caller, String number) {
        return runs.incrementAndGet();
    }

    @Idempotent(value = "orders.nothing", key = "#number")
    void nothing(String number) {
        runs.incrementAndGet();
    }

    @Idempotent(value = "orders.place", mode = Mode.TRANSACTIONAL, key = "#order.number", lease = "1s")
    @Transactional
    Receipt place(Order order) {
        return insert(order);
    }

    @Idempotent(value = "orders.single", mode = Mode.SINGLE_TRANSACTION, key = "#order.number")
    @Transactional
    Receipt placeInOne(Order order) {
        return insert(order);
    }

    @Idempotent(value = "orders.joining", key = "#order.number")
    @Transactional
    Receipt placeExternally(Order order) {
        return insert(order);
    }

    @Idempotent(value = "orders.separate", key = "#order.number")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    Receipt placeSeparately(Order order) {
        return insert(order);
    }

    /** The child of whoever calls it. */
    @Idempotent(value = "orders.child", mode = Mode.TRANSACTIONAL)
    @Transactional
    Receipt placeAsChild(Order order, Attempt attempt) {
        return insert(order);
    }

    Receipt insert(Order order) {
        int run = runs.incrementAndGet();
        jdbc.update("insert into orders (number, amount, run) values (?, ?, ?)", order.number(), order.amount(), run);
        if (failing) {
            throw new IllegalStateException("out of stock");
        }
        return new Receipt(order.number(), order.amount(), run);
    }

    @Idempotent(value = "orders.later", key = "#number")
    CompletableFuture<Map<String, Integer>> later(String number) {
        return CompletableFuture.supplyAsync(() -> Map.of("run", runs.incrementAndGet()));
    }

    @Idempotent(value = "orders.thread", key = "#number")
    CompletableFuture<String> thread(String number) {
        return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @Idempotent(value = "orders.mono", key = "#number")
    Mono<Receipt> mono(String number) {
        return Mono.fromSupplier(() -> new Receipt(number, 0, runs.incrementAndGet()));
    }

    @Idempotent(value = "orders.any", key = "#id", include = "/nothing")
    int any(Object id) {
        return runs.incrementAndGet();
    }

    @Idempotent(value = "orders.context", key = "#number")
    @Transactional
    Mono<String> context(String number) {
        return Mono.deferContextual(context -> Mono.just(context.get("user")));
    }

    @Idempotent(value = "orders.whatever", key = "#id", include = "/id")
    Object whatever(String id, Object returned) {
        runs.incrementAndGet();
        return returned;
    }

    @Idempotent(value = "orders.attempt", key = "#number")
    String attempt(String number, Attempt attempt) {
        return attempt.number() + " " + attempt.childKey("mail").length();
    }

    int rows(String number) {
        Integer rows = jdbc.queryForObject("select count(*) from orders where number = ?", Integer.class, number);
        return rows == null ? 0 : rows;
    }
}
