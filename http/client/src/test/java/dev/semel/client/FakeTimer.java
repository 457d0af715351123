package dev.semel.client;

import dev.semel.client.sending.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Time that passes when somebody waits. */
final class FakeTimer implements Timer {

    final List<Duration> waited = new ArrayList<>();
    double random = 1;
    private long nanos;

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(nanos);
    }

    @Override
    public double random() {
        return random;
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        waited.add(delay);
        pass(delay);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }
}
