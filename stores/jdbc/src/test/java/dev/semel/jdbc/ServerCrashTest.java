package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is killed under load: it loses nothing that it has acknowledged, and calls under way succeed afterwards. */
class ServerCrashTest {

    private static final int IN_FLIGHT = 64;
    private static final int SETTLES_BEFORE_KILL = 1_000;
    private static final int SETTLES_AFTER_RESTART = 500;

    @TempDir
    Path directory;

    private final Set<Long> claimed = ConcurrentHashMap.newKeySet();
    private final Set<Long> settled = ConcurrentHashMap.newKeySet();
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong next = new AtomicLong();

    @Test
    void losesNothingThatWasAcknowledged() throws Exception {
        Path data = directory.resolve("data");
        EmbeddedPostgres server = start(data, 0);
        int port = server.getPort();
        try (HikariDataSource pool =
                        TestPostgres.pool("jdbc:postgresql://localhost:" + port + "/postgres", "postgres", 4);
                JdbcKeyStore store = JdbcKeyStore.builder(pool)
                        .createSchema()
                        .giveUpAfter(Duration.ofMinutes(2))
                        .build()) {
            Semaphore places = new Semaphore(IN_FLIGHT);
            Thread load = new Thread(() -> load(store, places), "load");
            load.start();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> settled.size() >= SETTLES_BEFORE_KILL);

            kill(data);
            server.close();
            server = start(data, port);

            int survived = settled.size();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> settled.size() >= survived + SETTLES_AFTER_RESTART);
            stop.set(true);
            load.join();
            assertThat(places.tryAcquire(IN_FLIGHT, 1, TimeUnit.MINUTES)).isTrue();

            assertThat(wrong).isEmpty();
            assertThat(claimed).containsAll(settled);
            for (long number : claimed) {
                Claim claim = store.claim(CrashingNode.claim(number))
                        .toCompletableFuture()
                        .join();
                if (settled.contains(number)) {
                    assertThat(((Claim.Settled) claim).outcome().payload()).isEqualTo(CrashingNode.payload(number));
                } else {
                    assertThat(claim).isInstanceOfAny(Claim.InFlight.class, Claim.Settled.class);
                }
            }
        } finally {
            server.close();
        }
    }

    private void load(JdbcKeyStore store, Semaphore places) {
        while (!stop.get()) {
            long number = next.getAndIncrement();
            places.acquireUninterruptibly();
            store.claim(CrashingNode.claim(number))
                    .thenCompose(claim -> {
                        claimed.add(number);
                        return store.settle(
                                ((Claim.Acquired) claim).lease(),
                                Outcome.succeeded()
                                        .payload(CrashingNode.payload(number))
                                        .build(),
                                Retention.of(Duration.ofHours(1)));
                    })
                    .whenComplete((held, failure) -> {
                        if (failure == null && held) {
                            settled.add(number);
                        } else {
                            wrong.add(number + ": " + held + " " + failure);
                        }
                        places.release();
                    });
        }
    }

    private static EmbeddedPostgres start(Path data, int port) throws IOException {
        return TestPostgres.durable(EmbeddedPostgres.builder())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    /** All processes of the server at once, as when the machine loses power. */
    private static void kill(Path data) throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }
}
