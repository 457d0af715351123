package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read of the results of a night. */
class NightTallyTest {

    @TempDir
    private Path directory;

    @Test
    void sumsThePiecesOfEachPair() throws IOException {
        write("redis-cluster-kafka-7", 1_000, 20, 0);
        write("redis-cluster-kafka-9", 500, 10, 0);
        write("sqlite-engine-8", 30, 3, 0);

        NightTally tally = NightTally.of(directory);

        assertThat(tally.markdown().lines())
                .contains(
                        "| `redis-cluster` | kafka | 2 | 1,500 | 30 | 4 | 34 | held |",
                        "| `sqlite` | engine | 1 | 30 | 3 | 2 | 5 | held |",
                        "| **all** |  | 3 | 1,530 | 33 | 6 | 39 | held |",
                        "| fault | `sqlite` | `redis-cluster` |",
                        "| `kill` | 3 | 30 |",
                        "| `disk` | 0 | – |")
                .noneMatch(line -> line.startsWith("- "));
        assertThat(tally.requests(StoreKind.REDIS_CLUSTER, Door.KAFKA)).isEqualTo(1_500);
        assertThat(tally.requests(StoreKind.REDIS_CLUSTER, Door.SQS)).isZero();
        assertThat(tally.lastSeed()).isEqualTo(9);
        assertThat(tally.allHeld()).isTrue();
    }

    @Test
    void namesThePiecesThatDidNotHold() throws IOException {
        write("redis-sqs-1", 1_000, 20, 0);
        write("redis-sqs-2", 1_000, 20, 3);
        Files.writeString(directory.resolve("redis-sqs-3.log"), "killed before it came to a verdict");

        NightTally tally = NightTally.of(directory);

        assertThat(tally.markdown().lines())
                .contains(
                        "| `redis` | sqs | 3 | 2,000 | 40 | 4 | 44 | **2 not held** |",
                        "- redis-sqs-2: violations 3",
                        "- redis-sqs-3: no verdict");
        assertThat(tally.allHeld()).isFalse();
    }

    private void write(String piece, int requests, int kills, int violations) throws IOException {
        Files.writeString(directory.resolve(piece + ".log"), "what it printed");
        Files.writeString(
                directory.resolve(piece + ".json"),
                "{\n  \"torture.requests\": " + requests + ",\n  \"torture.faults.kill\": " + kills
                        + ",\n  \"torture.faults.restart\": 1,\n  \"torture.faults.failover\": 1"
                        + ",\n  \"torture.violations\": " + violations + ",\n  \"torture.leftovers\": 0\n}\n");
    }
}
