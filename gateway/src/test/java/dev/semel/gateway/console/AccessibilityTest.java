package dev.semel.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.gateway.ScriptedUpstream;
import dev.semel.gateway.Secrets;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every page and dialog of the console has no barrier that axe knows of, in both themes and on a wide and a narrow screen.
 *
 * <p>{@code -Dsemel.pictures=DIRECTORY} keeps pictures of them, for people and for the documentation.
 */
class AccessibilityTest {

    private static final String TOKEN = "a-token-of-the-person-on-call";
    private static final int UNKNOWN = 60;
    private static final int[] WIDTHS = {1280, 360};
    private static final String PICTURES = System.getProperty("semel.pictures");

    @TempDir
    static Path directory;

    private static TestUpstream upstream;
    private static OpenStore store;
    private static TestGateway gateway;
    private static ScriptedUpstream peer;
    private static volatile String peerStatus = "200 OK";

    private Browser browser;

    @BeforeAll
    static void plantEverythingThatThereIsToSee() throws Exception {
        Path tokens = Secrets.write(directory.resolve("tokens"), "on-call operate,erase " + TOKEN + "\n");
        upstream = new TestUpstream();
        store = StoreUrls.open("sqlite:" + directory.resolve("semel.db"));
        peer = new ScriptedUpstream((request, turn) -> "HTTP/1.1 " + peerStatus + "\r\nContent-Length: 0\r\n\r\n");
        gateway = TestGateway.start(
                store.keys(),
                upstream.url(),
                "scope",
                "header:X-User",
                "timeout",
                "3s",
                "admin-tokens",
                tokens.toString(),
                "node",
                "gateway-1",
                "peer",
                peer.url(),
                "drain",
                "0s");
        for (int i = 0; i < 40; i++) {
            send("/charges", "order-" + (1000 + i / 2), "shop-" + i / 2 % 3, "{\"amount\": " + i / 2 + "}")
                    .join();
        }
        for (int i = 0; i < 4; i++) {
            // The same request under a new key each time.
            send("/charges", "retry-" + i, "shop-hasty", "{\"amount\": 77}").join();
        }
        List<CompletableFuture<?>> lost = new ArrayList<>();
        for (int i = 0; i < UNKNOWN; i++) {
            lost.add(send("/never", "order-" + (2000 + i), "shop-1", "{\"amount\": " + i + "}"));
        }
        CompletableFuture.allOf(lost.toArray(CompletableFuture[]::new)).join();
        await().atMost(Duration.ofSeconds(60)).until(() -> unknown().getInteger("total") == UNKNOWN);
        send("/charges", "order-1999", "shop-1", "{\"amount\": 1}").join();
        JsonArray decisions = new JsonArray();
        JsonArray keys = unknown().getJsonArray("keys");
        for (int i = 0; i < 3; i++) {
            decisions.add(new JsonObject()
                    .put("digest", keys.getJsonObject(i).getString("digest"))
                    .put("token", keys.getJsonObject(i).getString("token"))
                    .put("outcome", "succeeded")
                    .put("status", 201));
        }
        HttpResponse<String> decided = gateway.send(HttpRequest.newBuilder(gateway.adminUri("/api/decisions"))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .header("Semel-Console", "1")
                .POST(BodyPublishers.ofString(new JsonObject()
                        .put("reason", "in the list of the processor")
                        .put("decisions", decisions)
                        .encode())));
        assertThat(decided.body()).contains("\"applied\":3");
    }

    private static CompletableFuture<HttpResponse<String>> send(String path, String key, String caller, String body) {
        return gateway.postAsync(
                path,
                key,
                body,
                "X-User",
                caller,
                "traceparent",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    }

    private static JsonObject unknown() {
        return new JsonObject(
                gateway.send(HttpRequest.newBuilder(gateway.adminUri("/api/search?state=unknown&limit=100"))
                                .header("Authorization", "Bearer " + TOKEN))
                        .body());
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
        store.close();
        upstream.close();
        peer.close();
    }

    private static String page(String hash) {
        return gateway.adminUri("/").toString() + hash;
    }

    private static String key(String caller, String value) {
        return "#/keys/" + Key.of(caller, value).digest();
    }

    /** Opens a page, waits until it shows what it has, and looks at it in every theme and width. */
    private void look(String name, String hash, Consumer<Browser> until) throws Exception {
        browser.width(WIDTHS[0]);
        browser.dark(false);
        browser.go("about:blank");
        browser.go(page(hash));
        until.accept(browser);
        for (boolean dark : new boolean[] {false, true}) {
            for (int width : WIDTHS) {
                browser.width(width);
                browser.dark(dark);
                String view = name + (dark ? "-dark" : "") + (width < WIDTHS[0] ? "-phone" : "");
                assertThat(browser.barriers()).as(view).isEmpty();
                Long tooWide =
                        browser.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth");
                assertThat(tooWide).as("pixels that " + view + " is too wide").isZero();
                if (PICTURES != null) {
                    browser.picture(
                            Path.of(PICTURES, "console-" + view + ".png").toAbsolutePath());
                }
            }
        }
    }

    private void signIn() {
        browser = Browser.open();
        browser.go(page("#token=" + TOKEN));
        browser.see("#live", "live");
    }

    @Test
    void noPageHasABarrier() throws Exception {
        signIn();
        look("now", "#/", seen -> {
            seen.see("#work tbody");
            seen.see(".plot canvas");
        });
        look("now-unfolded", "#/", seen -> {
            seen.see("#work tbody");
            for (String part : List.of("store", "counters", "operations")) {
                seen.ask("document.getElementById('folded-" + part + "').open = true");
            }
            seen.see("#folded-operations", "default");
        });
        look("unknown", "#/keys?state=unknown", seen -> seen.see("#results tbody", "order-20"));
        look("nothing", "#/keys?key=nothing", seen -> seen.see("#results", "No key matches"));
        look("key", key("shop-1", "order-2000"), seen -> seen.see("#resolve", "Resolve"));
        look("settled", key("shop-1", "order-1001"), seen -> seen.see("#body", "run"));
        look("gone", "#/keys/00000000000000000000000000000000", seen -> seen.see("main", "There is no such key"));
        look("clients", "#/clients", seen -> seen.see("#clients", "shop-hasty"));
        look("audit", "#/audit", seen -> seen.see("#results tbody", "in the list of the processor"));
    }

    @Test
    void theBannerOfAnOutageHasNoBarrier() throws Exception {
        signIn();
        for (int i = 0; i < 4; i++) {
            send("/break", "broken-" + i, "shop-2", "{}").join();
        }
        peerStatus = "503 Service Unavailable";
        look("down", "#/", seen -> {
            seen.see(".health [data-part=upstream]", "as gateway-1 sees it");
            seen.see(".health [data-part=peer]", "The gateway " + peer.url() + " is not ready since ");
        });
        peerStatus = "200 OK";
        send("/charges", "order-2999", "shop-1", "{\"amount\": 1}").join();
    }

    @Test
    void noDialogHasABarrier() throws Exception {
        browser = Browser.open();
        browser.go(page("#/"));
        browser.ask("sessionStorage.clear()");
        look("token", "#/", seen -> seen.see("#token"));
        signIn();
        look("resolve", key("shop-1", "order-2000"), seen -> {
            seen.click("#resolve");
            seen.click("input[value=succeeded]");
            seen.fill("#reason", "charge ch_1 is in the ledger");
        });
        look("confirm", key("shop-1", "order-2000"), seen -> {
            seen.click("#resolve");
            seen.click("input[value=released]");
            seen.fill("#reason", "no trace of it in the ledger");
            seen.click("dialog button[type=submit]");
            seen.see("#confirm");
        });
        look("decide", "#/keys?state=unknown", seen -> {
            seen.click("#results tbody tr:nth-child(1) input");
            seen.click("#results tbody tr:nth-child(2) input");
            seen.click("#decide");
            seen.see("dialog .preview");
        });
        Path answers = Files.writeString(directory.resolve("answers.csv"), "key,executed\norder-2000,yes\nnobody,no\n");
        look("import", "#/keys?state=unknown", seen -> {
            seen.click("#import");
            seen.see("#file").sendKeys(answers.toString());
            seen.click("dialog button[type=submit]");
            seen.see("#import-summary", "2 rows");
        });
        look("help", "#/", seen -> {
            seen.see("#live", "live");
            seen.click("#help-button");
            seen.see("dialog", "this help");
        });
    }
}
