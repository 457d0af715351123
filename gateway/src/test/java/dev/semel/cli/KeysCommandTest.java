package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Call;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.gateway.Secrets;
import dev.semel.gateway.StoreUrls;
import dev.semel.http.Scopes;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KeysCommandTest {

    private static final String DIGEST = Key.of("alice", "lost").digest().toString();

    private static final Retention KEPT = Retention.of(Duration.ofDays(30)).withTombstone(Duration.ofDays(365));

    @TempDir
    Path directory;

    private String store;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makeAnUnknownKey() throws Exception {
        store = "sqlite:" + directory.resolve("keys.db");
        try (StoreUrls.OpenStore open = StoreUrls.open(store);
                Semel semel = Semel.builder(open.keys()).build()) {
            Call call = Call.of(Key.of("alice", "lost"), Fingerprint.of("a"));
            try {
                semel.operation(Policy.external("charge").retention(KEPT).build(), OutcomeCodec.text())
                        .run(call, attempt -> {
                            throw new OutcomeUnknownException("no answer", null);
                        });
            } catch (OutcomeUnknownException expected) {
                assertThat(expected).hasMessage("no answer");
            }
        }
    }

    private int run(String... args) {
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(args);
    }

    @Test
    void listsKeysOfAState() {
        assertThat(run("keys", "list", "--store", store, "--state", "UNKNOWN", "--json"))
                .isZero();

        JsonObject key = new JsonObject(out.toString());
        assertThat(key.getString("digest")).isEqualTo(DIGEST);
        assertThat(key.getString("key")).isEqualTo("lost");
        assertThat(key.getString("state")).isEqualTo("unknown");
    }

    @Test
    void erasesACallerWhoseNameIsStoredAsADigest() throws Exception {
        String caller = "CN=" + "a".repeat(300);
        settle(Scopes.fit(caller), "long");

        assertThat(run("keys", "erase", "--scope", caller, "--store", store, "--yes"))
                .isZero();
        assertThat(out.toString()).contains("erased: 1 records");
    }

    @Test
    void erasesTheScopeThatAListShows() throws Exception {
        settle("credential:0123456789abcdef", "digested");

        assertThat(run("keys", "list", "--key", "digested", "--store", store, "--json"))
                .isZero();
        String scope = new JsonObject(out.toString()).getString("scope");
        assertThat(run("keys", "erase", "--scope", scope, "--store", store, "--yes"))
                .isZero();
        assertThat(out.toString()).contains("erased: 1 records");
    }

    @Test
    void saysHowToFindACallerThatIsNotThereByName() {
        assertThat(run("keys", "erase", "--scope", "Bearer abc", "--store", store, "--yes"))
                .isZero();
        assertThat(out.toString()).contains("erased: 0 records", "--scope credential", "semel keys list --key");
    }

    @Test
    void aStoreThatCannotBeOpenedIsNamedWithoutItsPassword() {
        for (String url : List.of(
                "redis://:s3cret@host:port/0",
                "jdbc:postgresql://alice:s3cret@127.0.0.1:1:2/semel?password=s3cret",
                "jdbc:mariadb://alice:s3c@ret@127.0.0.1:1/semel?password=s3cret",
                "oracle://alice:s3c/ret@db/semel")) {
            assertThat(run("keys", "list", "--store", url)).as(url).isNotZero();
        }
        assertThat(out.toString() + err).doesNotContain("s3c").doesNotContain("ret@");
    }

    private void settle(String scope, String value) throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store);
                Semel semel = Semel.builder(open.keys()).build()) {
            semel.operation(Policy.external("charge").retention(KEPT).build(), OutcomeCodec.text())
                    .run(Key.of(scope, value), Fingerprint.of("a"), attempt -> "done");
        }
    }

    @Test
    void erasesAScopeAndSaysWhatIsLeft() throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store);
                Semel semel = Semel.builder(open.keys()).build()) {
            Call call = Call.of(Key.of("alice", "done"), Fingerprint.of("a"));
            semel.operation(Policy.external("charge").build(), OutcomeCodec.text())
                    .run(call, attempt -> "receipt");
        }

        assertThat(run("keys", "erase", "--scope", "alice", "--store", store, "--yes"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("erased: 1 records", "left: 1 keys");

        run("keys", "resolve", DIGEST, "--store", store, "--outcome", "failed", "--reason", "it is gone", "--yes");
        assertThat(run("keys", "erase", "--scope", "alice", "--store", store, "--yes"))
                .isZero();
        out.getBuffer().setLength(0);
        run("keys", "list", "--store", store, "--json");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void takesAStateInLowerCase() {
        assertThat(run("keys", "list", "--store", store, "--state", "unknown")).isZero();

        assertThat(out.toString()).contains(DIGEST);
    }

    @Test
    void resolvesAKeyAndKeepsTheReason() {
        assertThat(run(
                        "keys",
                        "resolve",
                        DIGEST,
                        "--store",
                        store,
                        "--outcome",
                        "succeeded",
                        "--status",
                        "201",
                        "--body",
                        "receipt",
                        "--reason",
                        "found in the ledger",
                        "--yes"))
                .as(err.toString())
                .isZero();
        run("keys", "show", DIGEST, "--store", store, "--json");

        assertThat(out.toString())
                .contains("\"state\":\"succeeded\"")
                .contains("\"text\":\"receipt\"")
                .contains("found in the ledger");
    }

    @Test
    void aResolvedKeyIsKeptAsItsOperationSays() throws Exception {
        assertThat(resolve("--status", "201")).as(err.toString()).isZero();

        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            KeyRecord record = KeyStore.capability(open.keys(), Inspecting.class)
                    .orElseThrow()
                    .find(Key.of("alice", "lost").digest())
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
            assertThat(record.expiresAt()).isEqualTo(record.settledAt().plus(KEPT.active()));
            assertThat(record.freeAt()).isEqualTo(record.expiresAt().plus(KEPT.tombstone()));
        }
    }

    @Test
    void refusesADecisionThatCouldNotBeReplayed() {
        assertThat(resolve()).isNotZero();
        assertThat(err.toString()).contains("succeeded needs the response for duplicates");
        assertThat(resolve("--status", "99")).isNotZero();
        assertThat(err.toString()).contains("between 200 and 599, got 99");
        assertThat(resolve("--status", "200", "--content-type", "a/b\r\nX: y")).isNotZero();
        assertThat(err.toString()).contains("content type must not contain line breaks");
    }

    private int resolve(String... more) {
        List<String> args = new ArrayList<>(List.of(
                "keys",
                "resolve",
                DIGEST,
                "--store",
                store,
                "--outcome",
                "succeeded",
                "--reason",
                "found it",
                "--yes"));
        args.addAll(List.of(more));
        return run(args.toArray(String[]::new));
    }

    @Test
    void changesNothingWithoutConfirmation() {
        assertThat(answering("n\n", "keys", "release", DIGEST, "--store", store, "--reason", "never sent"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("nothing was changed");

        assertThat(answering("y\n", "keys", "release", DIGEST, "--store", store, "--reason", "never sent"))
                .isZero();
        assertThat(run("keys", "show", DIGEST, "--store", store)).isEqualTo(3);
        assertThat(err.toString()).contains("there is no key " + DIGEST).doesNotContain("Usage", "--help");
    }

    private int answering(String answer, String... args) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(args);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void showsAKeyToPeopleByTheBeginningOfItsDigest() {
        assertThat(run("keys", "show", DIGEST.substring(0, 6), "--store", store))
                .as(err.toString())
                .isZero();

        assertThat(out.toString())
                .containsPattern("key +lost")
                .containsPattern("scope +alice")
                .containsPattern("state +unknown")
                .containsPattern("operation +charge")
                .doesNotContain("{", "\u001b");
    }

    @Test
    void aBeginningThatNoKeyHasIsAMissingKey() {
        String other = DIGEST.startsWith("0000") ? "1111" : "0000";

        assertThat(run("keys", "show", other, "--store", store)).isEqualTo(3);
        assertThat(run("keys", "show", "abc", "--store", store)).isEqualTo(2);
        assertThat(err.toString()).contains("the first 4 or more can be given, got \"abc\"");
    }

    @Test
    void listsTheScope() {
        assertThat(run("keys", "list", "--store", store)).isZero();

        assertThat(out.toString()).contains("SCOPE", "alice");
    }

    /** A path that was mistyped is not a database to be made. */
    @Test
    void neverMakesADatabase() {
        Path mistyped = directory.resolve("mistyped.db");
        for (List<String> command : List.of(
                List.of("list"),
                List.of("show", DIGEST),
                List.of("stats"),
                List.of("release", DIGEST, "--reason", "r", "--yes"),
                List.of("erase", "--scope", "s", "--yes"),
                List.of("acknowledge-loss", "--yes"))) {
            List<String> args = new ArrayList<>(List.of("keys"));
            args.addAll(command);
            args.addAll(List.of("--store", "sqlite:" + mistyped));

            assertThat(run(args.toArray(String[]::new))).as(args.toString()).isEqualTo(2);
        }
        assertThat(mistyped).doesNotExist();
        assertThat(err.toString()).contains("there is no database " + mistyped).doesNotContain("Usage");
    }

    @Test
    void neverMakesTablesInAnEmptyDatabase() {
        String database = TestPostgres.newDatabase();

        assertThat(run("keys", "list", "--store", TestPostgres.url(database))).isEqualTo(1);

        assertThat(err.toString()).contains("there is no table", "semel schema postgres");
        try (HikariDataSource pool = TestPostgres.pool(database, 1)) {
            assertThat(TestPostgres.number(pool, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
                    .isZero();
        }
    }

    @Test
    void countsKeys() {
        assertThat(run("keys", "stats", "--store", store, "--json")).isZero();

        assertThat(new JsonObject(out.toString()).getLong("unknown")).isEqualTo(1);
    }

    @Test
    void showsASealedResponseWithTheMasterKeys() throws Exception {
        Path file = Secrets.write(
                directory.resolve("keys"), "first:" + Base64.getEncoder().encodeToString(new byte[32]));
        Sealing sealing = Sealing.compressingAndEncrypting(LocalMasterKeys.read(file));
        Key key = Key.of("alice", "sealed");
        try (StoreUrls.OpenStore open = StoreUrls.open(store, sealing);
                Semel semel = Semel.builder(open.keys()).build()) {
            semel.operation(Policy.external("charge").build(), OutcomeCodec.text())
                    .run(key, Fingerprint.of("a"), attempt -> "receipt of alice");
        }
        String digest = key.digest().toString();

        assertThat(run("keys", "show", digest, "--store", store, "--json")).isZero();
        assertThat(out.toString()).contains("sealed").doesNotContain("receipt of alice");
        assertThat(run("keys", "show", digest, "--store", store, "--json", "--seal-keys", file.toString()))
                .isZero();
        assertThat(out.toString()).contains("receipt of alice");
    }

    @Test
    void saysWhichStoresThereAre() {
        assertThat(run("keys", "list", "--store", "oracle:x")).isEqualTo(2);

        assertThat(err.toString()).contains("expected sqlite:PATH").contains("oracle:x");
    }
}
