package dev.semel.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.cli.CommandLines;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people see of keys that are in the audit window of a store in PostgreSQL. */
class AuditConsoleTest {

    private String url;
    private OpenStore store;
    private Gateway gateway;
    private String link;

    @BeforeEach
    void start() {
        url = TestPostgres.url(TestPostgres.newDatabase());
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, "http://127.0.0.1:1")
                .putOption(Setting.LISTEN, "127.0.0.1:0")
                .putOption(Setting.ADMIN, "127.0.0.1:0")
                .putOption(Setting.STORE, url)
                .putOption(Setting.AUDIT_WINDOW, "30d")
                .putOption(Setting.DRAIN, "0s");
        GatewayConfig config = GatewayConfig.of(settings, List.of());
        store = StoreUrls.open(config.store(), config.sealing(), config.auditWindow());
        settle("old-order", Retention.of(Duration.ofNanos(1000)));
        KeyStore.capability(store.keys(), Purging.class)
                .orElseThrow()
                .purge(100)
                .toCompletableFuture()
                .join();
        settle("order", Retention.of(Duration.ofDays(1)));
        gateway = Gateway.start("test", config, store.keys());
        link = config.admin().link(gateway.adminPort());
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        store.close();
    }

    private void settle(String name, Retention retention) {
        KeyStore keys = store.keys();
        ClaimRequest request = ClaimRequest.builder(Key.of("customer-17", name), "charge", Fingerprint.of(name))
                .lease(Duration.ofMinutes(1))
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .build();
        Claim.Acquired claim =
                (Claim.Acquired) keys.claim(request).toCompletableFuture().join();
        Outcome outcome = Outcome.succeeded()
                .status(201)
                .contentType("application/json")
                .payload("{\"secret\":1}")
                .build();
        assertThat(keys.settle(claim.lease(), outcome, retention)
                        .toCompletableFuture()
                        .join())
                .isTrue();
    }

    @Test
    void theConsoleMarksWhatIsInTheAuditWindow() {
        Browser browser = Browser.open();
        browser.go(link);
        browser.see("#live", "live");
        browser.go("http://127.0.0.1:" + gateway.adminPort() + "/#/keys?scope=customer-17");
        browser.see("#total", "2 keys");
        browser.see("#results", "old-order");
        assertThat(browser.all("#results .badge")).containsExactlyInAnyOrder("✓ succeeded", "≡ audit");
        assertThat(browser.see("#results tbody").getText()).contains("201 · 12 B");

        browser.click(
                "#results tbody a[href$='" + Key.of("customer-17", "old-order").digest() + "']");
        browser.see("h1", "old-order");
        browser.see(".verdict", "The key is free again.");
        assertThat(browser.see("main").getText())
                .contains("In the audit window since", "4bf92f3577b34da6a3ce929d0e0e4736", "the body had 12 B")
                .doesNotContain("secret", "Steps");
        assertThat(browser.consoleErrors()).isEmpty();
    }

    @Test
    void theCommandLineMarksWhatIsInTheAuditWindow() {
        String list = CommandLines.run("keys", "list", "--scope", "customer-17", "--store", url);
        assertThat(list.lines().filter(line -> line.endsWith(" old-order")))
                .singleElement()
                .asString()
                .contains("  audit  ");
        assertThat(list.lines().filter(line -> line.endsWith(" order")))
                .singleElement()
                .asString()
                .contains("succeeded");

        String digest = Key.of("customer-17", "old-order").digest().toString();
        assertThat(CommandLines.run("keys", "show", digest, "--json", "--store", url))
                .contains("\"state\":\"expired\"", "\"auditedSince\":\"20", "\"bodyBytes\":12")
                .doesNotContain("secret");
    }

    @Test
    void theCommandLineErasesItToo() {
        assertThat(CommandLines.run("keys", "erase", "--scope", "customer-17", "--yes", "--store", url))
                .contains("erased: 2 records");
        assertThat(CommandLines.run("keys", "list", "--json", "--store", url)).isEmpty();
    }
}
