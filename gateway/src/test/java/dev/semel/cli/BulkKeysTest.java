package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.gateway.StoreUrls;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code semel keys}, for many keys at once. */
class BulkKeysTest {

    @TempDir
    Path directory;

    private String store;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void loseTheOutcomeOfFourKeys() throws Exception {
        store = "sqlite:" + directory.resolve("keys.db");
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            for (String name : List.of("order-1", "order-2", "=order-3")) {
                abandon(open.keys(), "charge", name);
            }
            abandon(open.keys(), "mail", "mail-1");
        }
    }

    private static void abandon(KeyStore keys, String operation, String name) {
        ClaimRequest request = ClaimRequest.builder(Key.of("alice", name), operation, Fingerprint.of(name))
                .build();
        Claim claim = keys.claim(request).toCompletableFuture().join();
        keys.abandon(((Claim.Acquired) claim).lease()).toCompletableFuture().join();
    }

    private int run(String... args) {
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(args);
    }

    private KeyState state(String name) throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            return KeyStore.capability(open.keys(), Inspecting.class)
                    .orElseThrow()
                    .find(Key.of("alice", name).digest())
                    .toCompletableFuture()
                    .join()
                    .orElseThrow()
                    .state();
        }
    }

    private List<DecisionLog.Entry> audit() throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            return KeyStore.capability(open.keys(), DecisionLog.class)
                    .orElseThrow()
                    .entries(null, 0, 100)
                    .toCompletableFuture()
                    .join();
        }
    }

    @Test
    void resolvesAllThatMatch() throws Exception {
        String[] resolve = {
            "keys",
            "resolve",
            "--where",
            "operation=charge,text=order-",
            "--outcome",
            "failed",
            "--reason",
            "refunded",
            "--store",
            store,
            "--yes"
        };

        assertThat(run(resolve)).as(err.toString()).isZero();

        assertThat(out.toString()).contains("order-2", "decided: 2 of 2 keys");
        assertThat(state("order-1")).isEqualTo(KeyState.FAILED);
        assertThat(state("mail-1")).isEqualTo(KeyState.UNKNOWN);
        assertThat(audit()).hasSize(2).allMatch(entry -> entry.by().name().startsWith("cli:"));
        assertThat(run(resolve)).as("again").isEqualTo(1);
        assertThat(out.toString()).contains("no key that is lapsed or unknown matches");
    }

    @Test
    void decidesNothingIfMoreThanTheLimitMatch() throws Exception {
        assertThat(run(
                        "keys",
                        "release",
                        "--where",
                        "state=unknown",
                        "--limit",
                        "3",
                        "--reason",
                        "never sent",
                        "--store",
                        store,
                        "--yes"))
                .isEqualTo(1);

        assertThat(out.toString()).contains("more than 3 keys match");
        assertThat(state("order-1")).isEqualTo(KeyState.UNKNOWN);
        assertThat(audit()).isEmpty();
    }

    @Test
    void decidesWhatAFileAnswers() throws Exception {
        Path file = directory.resolve("unknown.csv");
        assertThat(run("keys", "export", "--where", "operation=charge", "--output", file.toString(), "--store", store))
                .isZero();
        String exported = Files.readString(file);
        assertThat(exported).contains(",'=order-3,");
        Files.writeString(
                file,
                exported.replaceAll("(?m)(,order-1,.*),$", "$1,no")
                        .replaceAll("(?m)(,order-2,.*),$", "$1,maybe")
                        .replaceAll("(?m)(,'=order-3,.*),$", "$1,yes"));

        int code = run(
                "keys",
                "import",
                file.toString(),
                "--status",
                "201",
                "--reason",
                "their list",
                "--store",
                store,
                "--yes");

        assertThat(code).as("a row had a problem").isEqualTo(1);
        assertThat(out.toString()).contains("order-2: executed must be yes or no", "decided: 2 of 2 keys");
        assertThat(state("=order-3")).isEqualTo(KeyState.SUCCEEDED);
        assertThat(state("order-2")).isEqualTo(KeyState.UNKNOWN);
        assertThat(audit())
                .extracting(DecisionLog.Entry::after)
                .as("what lets nothing run comes first")
                .containsExactly("released", "succeeded 201");
    }

    @Test
    void saysWhatIsWrongWithConditions() {
        for (String where : List.of("older=soon", "colour=red", "state", "state=lost", "from=yesterday")) {
            assertThat(run(
                            "keys",
                            "resolve",
                            "--where",
                            where,
                            "--outcome",
                            "failed",
                            "--reason",
                            "r",
                            "--store",
                            store))
                    .as(where)
                    .isEqualTo(2);
        }
        assertThat(run("keys", "resolve", "--outcome", "failed", "--reason", "r", "--store", store))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "30s, 5m, 2h or 7d", "got \"colour\"", "state must be pending", "DIGEST of a key, or --where");
    }
}
