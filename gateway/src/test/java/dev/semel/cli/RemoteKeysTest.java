package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.triage.Decision;
import dev.semel.spi.KeyState;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The keys of a gateway, by its address instead of its database. */
class RemoteKeysTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private TestUpstream upstream;
    private TestGateway gateway;
    private RemoteKeys keys;

    @BeforeEach
    void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url(), "timeout", "1s", "admin-token", "sesame");
        keys = new RemoteKeys(gateway.adminUri("").toString(), "sesame");
        gateway.post("/break", "lost", "{}");
        gateway.post("/charges", "done", "{}");
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void findsAndResolvesAKey() throws Exception {
        KeysOptions common = common();
        keys.list(common, new RemoteKeys.Conditions(KeyState.UNKNOWN, null, null, null), 10);
        assertThat(out.toString()).contains("DIGEST", "unknown", "lost").doesNotContain("done");
        String digest = out.toString().lines().skip(1).findFirst().orElseThrow().substring(0, 32);

        assertThat(keys.decide(
                        common, digest, Decision.of("succeeded", "found it", 201, "text/plain", "receipt"), true))
                .isZero();

        JsonObject story = keys.story(digest);
        assertThat(story.getString("state")).isEqualTo("succeeded");
        assertThat(gateway.post("/break", "lost", "{}").body()).isEqualTo("receipt");
    }

    @Test
    void showsWhatAKeyWasAboutAndWhyItsOutcomeIsUnknown() throws Exception {
        String digest = Key.of("single", "lost").digest().toString();

        KeyLines.printStory(new PrintWriter(out, true), keys.story(digest), keys.now());

        assertThat(out.toString())
                .containsPattern("request +POST /break on ")
                .containsPattern("cause +the upstream closed the connection");
    }

    @Test
    void decidesManyAtOnceWithoutTheDatabase() throws Exception {
        for (int i = 0; i < 5; i++) {
            gateway.post("/break", "more-" + i, "{}");
        }
        KeyWhere where = KeyWhere.parse(
                "state=unknown,text=more-,older=0s", true, keys.now().plusSeconds(1));
        BulkDecision bulk = new BulkDecision(keys, new PrintWriter(out, true));

        assertThat(bulk.decideWhere(where, 3, Decision.of("failed", "refunded", null, null, null), true))
                .isEqualTo(1);
        assertThat(out.toString()).contains("more than 3 keys match", "nothing was changed");
        assertThat(bulk.decideWhere(where, 100, Decision.of("failed", "refunded", null, null, null), true))
                .isZero();

        assertThat(out.toString()).contains("decided: 5 of 5 keys");
        assertThat(keys.find(KeyWhere.parse("state=unknown", true, keys.now()), 10)
                        .keys())
                .extracting(key -> key.key())
                .containsExactly("lost");
        assertThat(gateway.post("/break", "more-1", "{}").body()).contains("operation-failed");
        String digest = Key.of("single", "more-1").digest().toString();
        assertThat(keys.story(digest.substring(0, 8)).getString("key")).isEqualTo("more-1");
        assertThatThrownBy(() -> keys.story("000000")).isInstanceOf(NoSuchKeyException.class);
    }

    @Test
    void aGatewayThatDoesNotAnswerOrRefusesIsOneLine() {
        assertThat(run("keys", "list", "--gateway", "http://127.0.0.1:1")).isEqualTo(1);
        assertThat(run("keys", "list", "--gateway", gateway.adminUri("").toString()))
                .isEqualTo(1);
        assertThat(run("keys", "list", "--gateway", "semel.db")).isEqualTo(2);
        assertThat(run("keys", "erase", "--scope", "s", "--yes", "--gateway", "http://127.0.0.1:1"))
                .isEqualTo(2);

        assertThat(err.toString())
                .contains("the gateway at http://127.0.0.1:1 does not answer")
                .contains("answered 401")
                .contains("expected the address of its console")
                .contains("this command needs --store URL")
                .doesNotContain("Usage");
    }

    private KeysOptions common() {
        KeysOptions common = new KeysOptions();
        CommandLine list = SemelCommand.commandLine()
                .getSubcommands()
                .get("keys")
                .getSubcommands()
                .get("list");
        list.setOut(new PrintWriter(out, true));
        common.belongTo(list.getCommandSpec());
        return common;
    }

    private int run(String... args) {
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
