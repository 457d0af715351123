package dev.semel.gateway.stats;

import dev.semel.gateway.TestGateway;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that send charges through a gateway, at a steady rate each. */
final class Clients implements AutoCloseable {

    private static final String USER = "X-User";

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final TestGateway gateway;
    private final AtomicLong sent = new AtomicLong();

    Clients(TestGateway gateway) {
        this.gateway = gateway;
    }

    /** Does everything right, and repeats every twentieth charge under its own key. */
    void well(int perSecond) {
        every(perSecond, () -> {
            long number = sent.incrementAndGet();
            long charge = number % 20 == 0 ? number - 10 : number;
            post("/charges", "charge-" + charge, "{\"amount\":" + charge + "}", "careful");
        });
    }

    /** Sends one charge again and again, each time under a new key. */
    void badly(int perSecond) {
        every(perSecond, () -> post("/charges", "hasty-" + sent.incrementAndGet(), "{\"amount\":7}", "hasty"));
    }

    /** Sends one charge that never comes to an end. */
    void once(String path, String key) {
        post(path, key, "{\"amount\":1}", "careful");
    }

    private void post(String path, String key, String body, String user) {
        gateway.postAsync(path, key, body, USER, user);
    }

    private void every(int perSecond, Runnable send) {
        timer.scheduleAtFixedRate(send, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
