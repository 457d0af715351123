package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.client.RawServer.Request;
import dev.semel.client.RawServer.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that is killed and resumed, against a server that breaks off before, during and after its answers. With
 * {@code -Dsemel.client.operations=10000} it takes longer.
 */
class ClientCrashTest {

    private static final int OPERATIONS = Integer.getInteger("semel.client.operations", 400);
    private static final int KILLS = Integer.getInteger("semel.client.kills", 2);

    /** What the server did under a key. */
    private record Effect(String body, String answer) {}

    private final Map<String, Effect> effects = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();
    private final Queue<String> otherBodies = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> faults = new ConcurrentHashMap<>();
    private final Random random = new Random(42);

    @TempDir
    private Path directory;

    private synchronized int chance() {
        return random.nextInt(100);
    }

    private Response handle(Request request) {
        int chance = chance();
        if (chance < 12) {
            return fault("before", Response.of(201, "").cutAt(0));
        }
        if (chance < 15) {
            return fault("busy", Response.of(503, "", "Retry-After", "0"));
        }
        String key = request.headers().get("Idempotency-Key");
        boolean first = !effects.containsKey(key);
        Effect effect =
                effects.computeIfAbsent(key, unused -> new Effect(request.text(), "charge-" + made.incrementAndGet()));
        if (!effect.body.equals(request.text())) {
            otherBodies.add("\"" + request.text() + "\" under the key of \"" + effect.body + "\"");
        }
        Response whole = first
                ? Response.of(201, effect.answer)
                : Response.of(201, effect.answer, "X-Idempotency-Replayed", "true");
        if (chance < 30) {
            return fault("after", whole.cutAt(0));
        }
        return chance < 45 ? fault("during", whole.cutAt(1 + chance % (whole.bytes().length - 1))) : whole;
    }

    private Response fault(String name, Response response) {
        faults.computeIfAbsent(name, first -> new AtomicInteger()).incrementAndGet();
        return response;
    }

    @Test
    void everyOperationHasOneEffectAndItsTrueOutcome() throws Exception {
        Path results = directory.resolve("results");
        try (RawServer server = new RawServer(this::handle)) {
            for (int kill = 1; kill <= KILLS; kill++) {
                Process client = start(server, results);
                int enough = OPERATIONS * kill / (KILLS + 1);
                await().atMost(Duration.ofMinutes(5)).until(() -> !client.isAlive() || answered(results) >= enough);
                assertThat(client.isAlive())
                        .as("killed in the middle: " + log())
                        .isTrue();
                assertThatThrownBy(() -> KeyJournal.open(directory.resolve("journal")))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("is open already, in this process or another");
                client.destroyForcibly().waitFor();
            }
            // Some operations end without an answer, honestly; they are resumed until each has its own.
            for (int round = 0; round < 20 && answered(results) < OPERATIONS; round++) {
                Process client = start(server, results);
                assertThat(client.waitFor()).as(log()).isZero();
            }
        }

        Map<String, String> answers = new HashMap<>();
        for (String line : Files.readAllLines(results)) {
            String[] words = line.split(" ");
            assertThat(words[1]).isEqualTo("201");
            String before = answers.put(words[0], words[2]);
            assertThat(before == null || before.equals(words[2])).as(line).isTrue();
        }
        assertThat(answers).hasSize(OPERATIONS);
        assertThat(otherBodies).as("requests with another body under a key").isEmpty();
        assertThat(effects.values()).as("effects").hasSize(OPERATIONS);
        Map<String, String> truth = new HashMap<>();
        effects.values().forEach(effect -> truth.put(effect.body, effect.answer));
        assertThat(answers).isEqualTo(truth);
        assertThat(faults).containsOnlyKeys("before", "after", "during", "busy");
        try (KeyJournal journal = KeyJournal.open(directory.resolve("journal"))) {
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    private Process start(RawServer server, Path results) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingClient.class.getName(),
                        server.uri("/charges").toString(),
                        directory.resolve("journal").toString(),
                        results.toString(),
                        Integer.toString(OPERATIONS)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    /** An answer that was written just before a kill is written once more. */
    private static long answered(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file).lines().distinct().count() : 0;
    }
}
