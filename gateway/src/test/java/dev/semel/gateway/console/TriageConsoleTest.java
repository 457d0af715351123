package dev.semel.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.spi.KeyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deciding many keys at once in the console. */
class TriageConsoleTest {

    private SeededGateway gateway;
    private Browser browser;

    @BeforeEach
    void start() throws IOException {
        gateway = new SeededGateway();
        browser = Browser.open();
        gateway.signIn(browser);
    }

    @AfterEach
    void stop() {
        if (browser != null) {
            assertThat(browser.consoleErrors()).isEmpty();
        }
        gateway.close();
    }

    private KeyState state(String key) {
        return gateway.find(key).orElseThrow().state();
    }

    @Test
    void selectedKeysAreDecidedTogetherWithOneReason() {
        browser.go(gateway.console() + "#/keys?state=unknown");
        browser.see("#total", "4 keys");
        browser.click("input[aria-label='Select unknown-1']");
        browser.click("input[aria-label='Select unknown-3']");
        browser.see("#decide", "Decide 2 keys");
        browser.click("#decide");
        browser.see("dialog .preview", "unknown-3");
        browser.click("input[value=failed]");
        browser.fill("#reason", "the bank refused them");
        browser.click("dialog button[type=submit]");
        browser.click("#confirm");
        browser.see("#resolved", "2 keys decided");
        browser.see("#total", "2 keys");

        assertThat(state("unknown-1")).isEqualTo(KeyState.FAILED);
        assertThat(state("unknown-2")).isEqualTo(KeyState.UNKNOWN);
        browser.go(gateway.console() + "#/audit");
        browser.see("#results tbody", "the bank refused them");
        assertThat(browser.all("#results tbody tr")).hasSize(2).allMatch(row -> row.contains("admin"));
    }

    @Test
    void aFileOfAnswersIsShownBeforeItDecides(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("answers.csv"), "key,executed\nunknown-1,yes\nunknown-2,no\nnobody,yes\n");
        browser.go(gateway.console() + "#/keys?state=unknown");
        browser.click("#import");
        browser.see("#file").sendKeys(file.toString());
        browser.click("dialog button[type=submit]");
        browser.see("#import-summary", "3 rows, 1 executed, 0 failed, 1 not executed, 1 row has a problem");
        browser.see("dialog table", "no such key is unknown or lapsed");
        assertThat(state("unknown-1")).isEqualTo(KeyState.UNKNOWN);
        browser.fill("#reason", "the processor's list");
        browser.click("#checked");
        browser.click("#confirm");
        browser.see("#resolved", "2 keys decided");

        assertThat(state("unknown-1")).isEqualTo(KeyState.SUCCEEDED);
        assertThat(gateway.find("unknown-2")).isEmpty();
    }

    @Test
    void oneUnknownKeyLeadsToTheNext() {
        browser.go(gateway.keyPage("unknown-1"));
        browser.see("#next-unknown", "Next unknown (3 left)");
        browser.click("#next-unknown a");
        await().until(() -> !browser.address().endsWith(gateway.digest("unknown-1")));
        browser.see("#next-unknown", "Next unknown (3 left)");
    }

    @Test
    void aDigestFromALogFindsItsKey() {
        browser.go(gateway.console() + "#/keys");
        browser.fill("#f-q", gateway.digest("order-77").substring(0, 10));
        browser.click(".search button[type=submit]");
        browser.see("#total", "1 key");
        assertThat(browser.all("#results tbody a")).containsExactly("order-77");
        browser.see("#live", "as of");
    }
}
