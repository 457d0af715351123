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
                        "| fault through the engine | `sqlite` |",
                        "| `kill` | 3 |",
                        "| fault through the Kafka consumer | `redis-cluster` |",
                        "| `kill` | 30 |")
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

    @Test
    void comparesTheStoresBehindOneDoor() throws IOException {
        write("redis-engine-1", 1_000, 20, 0);
        write("sqlite-engine-2", 1_000, 10, 0);

        assertThat(NightTally.of(directory).markdown().lines())
                .contains(
                        "| fault through the engine | `sqlite` | `redis` |",
                        "| `kill` | 10 | 20 |",
                        "| `disk` | 0 | – |",
                        "| `clock` | – | 0 |")
                .noneMatch(line -> line.startsWith("| `throttle`"))
                .noneMatch(line -> line.startsWith("| `upstream`"));
    }

    @Test
    void tellsTheStoryOfAPieceThatWasMinimised() throws IOException {
        write("redis-sqs-2", 1_000, 20, 3);
        Files.writeString(directory.resolve("redis-sqs-2.log"), """
                Minimising 30 faults, with up to 30 runs of 20 s each, for up to 600 s.

                Of 30 faults, 1 are enough (--seed 2 --store redis --door sqs):
                  after 3.0 s: kill any-moment
                  G2 alice/HO-1: two requests were given different outcomes
                something else
                """);

        assertThat(NightTally.of(directory).markdown()).endsWith("""
                - redis-sqs-2: violations 3

                      Of 30 faults, 1 are enough (--seed 2 --store redis --door sqs):
                        after 3.0 s: kill any-moment
                        G2 alice/HO-1: two requests were given different outcomes

                """);
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
