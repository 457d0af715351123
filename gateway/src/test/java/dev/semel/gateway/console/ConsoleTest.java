package dev.semel.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Outcome;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The console, in a real browser, on a real gateway. */
class ConsoleTest {

    private static SeededGateway gateway;
    private Browser browser;

    @BeforeAll
    static void startGateway() throws IOException {
        gateway = new SeededGateway();
    }

    @AfterAll
    static void stopGateway() {
        gateway.close();
    }

    @BeforeEach
    void openBrowser() {
        browser = Browser.open();
        gateway.signIn(browser);
    }

    /** A script that the policy stopped, a missing file, an exception: all would be here. */
    @AfterEach
    void nothingWentWrong() {
        if (browser != null) {
            assertThat(browser.consoleErrors()).isEmpty();
        }
    }

    @Test
    void showsWhatIsHappeningNow() {
        browser.go(gateway.console());
        browser.see("#live", "live");
        browser.see("#tile-lapsed", "1");
        browser.see("#notices", "1 lapsed");
        browser.see("#work", "lapsed-1");
        browser.click("#folded-store summary");
        browser.see("#folded-store", "succeeded");
        assertThat(browser.title()).endsWith("Now · Semel");
        assertThat(browser.all("figure strong"))
                .containsExactly("Throughput", "Duplicates", "Failures", "Pending age", "Size of the store");
    }

    @Test
    void showsWhichCallersTakeMost() throws Exception {
        gateway.send("from-a-caller");
        browser.go(gateway.console());
        browser.see("#callers", SeededGateway.SCOPE);
        assertThat(browser.all("#callers thead th"))
                .containsExactly("Caller", "Of its limit", "In flight", "Buffered", "Refused", "Unknown", "Keys kept");
        browser.click("#callers tbody a");
        browser.see("#total", "2,000 keys or more");
        assertThat(browser.address()).endsWith("#/keys?scope=" + SeededGateway.SCOPE);
    }

    @Test
    void talksToTheGatewayOnly() {
        browser.go(gateway.console());
        browser.see(".plot canvas");
        List<String> asked = browser.ask("performance.getEntriesByType('resource').map(entry => entry.name)");
        assertThat(asked).isNotEmpty().allMatch(url -> url.startsWith(gateway.console()));
    }

    @Test
    void numbersAndPlotsMoveUnderLoad() throws Exception {
        browser.go(gateway.console() + "#/?range=5m");
        browser.see("#live", "live");
        String before = browser.see(".tiles").getText();
        for (int i = 0; i < 200; i++) {
            // Each key twice: an execution and a replay.
            assertThat(gateway.send("load-" + i / 2).statusCode()).isEqualTo(201);
        }
        assertThat(gateway.read().statusCode()).isEqualTo(201);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(browser.see(".tiles").getText()).isNotEqualTo(before);
            assertThat(counter("Executed")).isGreaterThanOrEqualTo(100);
            assertThat(counter("Replayed")).isGreaterThanOrEqualTo(100);
            assertThat(counter("Passed through")).isEqualTo(1);
            assertThat(browser.see("#tile-replay").getText()).endsWith("%");
        });
        browser.see(".plot canvas");
    }

    private long counter(String label) {
        String cells = browser.ask(
                "[...document.querySelectorAll('tr')].find(row => row.cells[0].textContent === arguments[0])"
                        + ".cells[2].textContent",
                label);
        return Long.parseLong(cells.replace(",", ""));
    }

    @Test
    void findsAKeyAmongThousands() {
        browser.go(gateway.console() + "#/keys");
        browser.fill("#f-q", "order-1234");
        browser.click(".search button[type=submit]");
        browser.see("#total", "1 key");
        assertThat(browser.all("#results tbody a")).containsExactly("order-1234");
        assertThat(browser.address()).endsWith("#/keys?q=order-1234");
    }

    @Test
    void narrowsTheSearchByStateScopeAndOperation() {
        browser.go(gateway.console() + "#/keys?state=lapsed");
        browser.see("#results", "lapsed-1");
        assertThat(browser.all("#results tbody a")).containsExactly("lapsed-1");
        browser.go(gateway.console() + "#/keys?operation=retired&scope=" + SeededGateway.SCOPE);
        browser.see("#total", "1 key");
        browser.go(gateway.console() + "#/keys?scope=somebody-else");
        browser.see("#results", "No key matches");
    }

    @Test
    void pagesThroughThousandsOfKeysAndBack() {
        browser.go(gateway.console() + "#/keys?state=succeeded");
        browser.see("#results .pager", "Page 1 of 40");
        List<String> first = browser.all("#results tbody a");
        browser.click("a[rel=next]");
        browser.see("a[rel=prev]");
        assertThat(browser.all("#results tbody a")).hasSize(50).doesNotContainAnyElementsOf(first);
        browser.click("a[rel=prev]");
        await().until(() -> browser.all("#results tbody a"), first::equals);
    }

    @Test
    void tellsAKeysWholeStory() {
        browser.go(gateway.keyPage("stepped-1"));
        browser.see("h1", "stepped-1");
        assertThat(browser.title()).endsWith("stepped-1 · Semel");
        assertThat(browser.all(".events strong")).containsExactly("claimed", "settled: succeeded", "expires");
        browser.see("main", "rsv_7");
        browser.see(
                ".facts-grid",
                gateway.find("stepped-1").orElseThrow().fingerprint().toString());
        assertThat(browser.see("#body").getText()).isEqualTo("{\n  \"amount\": 12345678901234567890,\n  \"a\": []\n}");
        browser.click(".body button:nth-child(2)");
        assertThat(browser.see("#body").getText()).isEqualTo("{\"amount\":12345678901234567890,\"a\":[]}");
        browser.click(".body button:nth-child(3)");
        assertThat(browser.see("#body").getText()).startsWith("000000  7b 22 61 6d");
    }

    @Test
    void aStoredScriptStaysText() {
        browser.go(gateway.keyPage("script-1"));
        for (int view = 1; view <= 2; view++) {
            browser.click(".body button:nth-child(" + view + ")");
            assertThat(browser.see("#body").getText()).isEqualTo(SeededGateway.SCRIPT);
        }
        Long elements = browser.ask("document.querySelectorAll('#body *, main script, main img').length");
        assertThat(elements).isZero();
        assertThat(browser.title()).endsWith("script-1 · Semel");
    }

    @Test
    void resolvesAnUnknownKeyWithAReasonAndAResponse() {
        browser.go(gateway.keyPage("unknown-1"));
        browser.click("#resolve");
        browser.click("input[value=succeeded]");
        browser.click("#r-custom");
        browser.fill("#r-status", "201");
        browser.fill("#r-body", "{\"id\":\"ch_1\"}");
        browser.fill("#reason", "found ch_1 in the ledger");
        browser.click("dialog button[type=submit]");
        browser.see("dialog", "cannot be undone");
        browser.see("#response-shown", "{\"id\":\"ch_1\"}");
        assertThat(gateway.find("unknown-1").orElseThrow().state()).isEqualTo(KeyState.UNKNOWN);
        browser.click("#confirm");
        browser.see("#resolved", "Settled as succeeded");
        browser.see(".story", "found ch_1 in the ledger");

        KeyRecord resolved = gateway.find("unknown-1").orElseThrow();
        assertThat(resolved.state()).isEqualTo(KeyState.SUCCEEDED);
        Outcome outcome = resolved.outcome();
        assertThat(outcome.status()).isEqualTo(201);
        assertThat(outcome.requirePayload()).asString().isEqualTo("{\"id\":\"ch_1\"}");
    }

    @Test
    void freesAKeyOnlyAfterTheCheckIsConfirmed() {
        browser.go(gateway.keyPage("unknown-2"));
        browser.click("#resolve");
        browser.click("input[value=released]");
        browser.fill("#reason", "no trace of it downstream");
        browser.click("dialog button[type=submit]");
        browser.click("#confirm");
        assertThat(gateway.find("unknown-2")).isPresent();
        browser.click("#checked");
        browser.click("#confirm");
        browser.see("#resolved", "Released");
        assertThat(gateway.find("unknown-2")).isEmpty();
        assertThat(browser.consoleErrors()).singleElement().asString().contains("404");
    }

    @Test
    void saysSoWhenTheKeyHasMovedOn() {
        browser.go(gateway.keyPage("unknown-3"));
        browser.click("#resolve");
        browser.click("input[value=failed]");
        browser.fill("#reason", "the service says no");
        browser.click("dialog button[type=submit]");
        browser.see("#confirm");
        gateway.release("unknown-3");
        browser.click("#confirm");
        browser.see("dialog .notice[role=alert]", "has changed");
        assertThat(browser.consoleErrors()).singleElement().asString().contains("404");
    }

    @Test
    void showsMisbehavingClientsWithTheEvidence() throws Exception {
        try (SeededGateway misused = new SeededGateway()) {
            misused.signIn(browser);
            browser.go(misused.console() + "#/clients");
            browser.see("#clients", "No client misbehaves");
            misused.send("retry-1");
            misused.send("retry-2");
            assertThat(misused.send("order-1").statusCode()).isEqualTo(422);

            browser.press("r");
            browser.see("#clients tbody th", SeededGateway.SCOPE);
            assertThat(browser.all("#clients tbody tr:first-child .number")).containsExactly("2", "1", "0");
            String first = misused.digest("retry-1");
            String second = misused.digest("retry-2");
            browser.see(
                    "#clients .evidence", second.substring(0, 8) + " is the same request as " + first.substring(0, 8));
            browser.see("#clients .evidence", misused.digest("order-1").substring(0, 8) + " came with another request");
            browser.click("#clients .evidence a[href$='" + second + "']");
            browser.see("h1", "retry-2");
            browser.go(misused.console() + "#/");
            browser.see("#notices", "1 client misbehaves");
        }
    }

    @Test
    void worksByKeyboardAlone() {
        browser.go(gateway.console());
        browser.see("#live", "live");
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to content");
        browser.press("?");
        browser.see("dialog", "Keyboard shortcuts");
        browser.press(Keys.ESCAPE, "/");
        await().until(() -> "f-q".equals(browser.focused().getDomAttribute("id")));
        browser.press("unknown-4", Keys.ENTER);
        browser.see("#total", "1 key");
        browser.press("j");
        assertThat(browser.focused().getCssValue("outline-style")).isEqualTo("solid");
        browser.press(Keys.ENTER);
        browser.see("#resolve");
        browser.press("d");
        browser.see("dialog");
        // The first choice has the focus; the arrow goes on to "failed", then to the response and the reason.
        browser.press(Keys.SPACE, Keys.ARROW_DOWN, Keys.TAB, Keys.TAB);
        assertThat(browser.focused().getDomAttribute("id")).isEqualTo("reason");
        browser.press("the bank refused it", Keys.TAB, Keys.TAB, Keys.ENTER);
        browser.see("#confirm");
        browser.press(Keys.ENTER);
        browser.see("#resolved", "Settled as failed");
        assertThat(gateway.find("unknown-4").orElseThrow().state()).isEqualTo(KeyState.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#/", "#/keys", "#/keys?key=nothing", "#/clients", "script-1", "lapsed-1"})
    void fitsAPhone(String page) throws Exception {
        gateway.send("phone-1");
        gateway.send("phone-2");
        browser.width(360);
        browser.dark(true);
        browser.go(page.startsWith("#") ? gateway.console() + page : gateway.keyPage(page));
        browser.see("main :is(table, div.state, .story)");
        // Many keys may need somebody.
        browser.ask("(document.getElementById('attention').hidden = false,"
                + " document.getElementById('attention').textContent = '123,456 unknown')");
        Long tooWide = browser.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(tooWide).isZero();
        String background = browser.ask("getComputedStyle(document.body).backgroundColor");
        assertThat(background).isEqualTo("rgb(18, 22, 26)");
    }

    @Test
    void takesTheTokenFromItsLinkAndHidesIt() {
        browser.go(gateway.link());
        browser.see("#live", "live");
        browser.see("#tile-lapsed", "1");
        assertThat(browser.address()).isEqualTo(gateway.console() + "#/");
        Long stored = browser.ask("localStorage.length + document.cookie.length");
        assertThat(stored).isZero();
    }

    @Test
    void asksForTheTokenAndKeepsItInTheTabOnly() throws Exception {
        try (SeededGateway guarded = new SeededGateway("sesame")) {
            browser.go(guarded.console() + "#/keys?key=order-7");
            browser.fill("#token", "wrong");
            browser.press(Keys.ENTER);
            browser.see("dialog .notice", "did not accept");
            browser.fill("#token", "sesame");
            browser.press(Keys.ENTER);
            browser.see("#results", "order-7");
            Long stored = browser.ask("localStorage.length + document.cookie.length");
            assertThat(stored).isZero();
            assertThat(browser.consoleErrors()).isNotEmpty().allMatch(error -> error.contains("401"));
        }
    }
}
