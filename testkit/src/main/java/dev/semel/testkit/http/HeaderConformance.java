package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P1 to P5: the header, and the requests that it concerns. */
abstract class HeaderConformance extends HttpSupport {

    @Test
    void p1AcceptsAStructuredFieldStringAndIgnoresItsParameters() {
        Received first = post(Endpoint.STRICT).key("\"" + key + "\"").now().hasStatus(201);

        post(Endpoint.STRICT).key("\"" + key + "\";v=1;x").now().replays(first);
        assertRuns(1);
    }

    @Test
    void p1UnescapesQuotesAndBackslashes() {
        runsOnce(201, () -> post(Endpoint.CHARGE).key("\"a \\\" b \\\\ " + key + "\""));
    }

    @Test
    void p2TakesTheBareFormForTheSameKey() {
        Received first = keyed(Endpoint.CHARGE).now().hasStatus(201);

        post(Endpoint.CHARGE).key("\"" + key + "\"").now().replays(first);
        assertRuns(1);
    }

    @Test
    void p2RefusesTheBareFormWhereItIsStrict() {
        isRefused(keyed(Endpoint.STRICT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\"open",
                "\"a\\n\"",
                "\"a\" b",
                "\"a\", \"b\"",
                "two words",
                "a,b",
                "k\u00e9y",
                "'k'",
                "(a)"
            })
    void p3RefusesAMalformedKey(String value) {
        isRefused(post(Endpoint.CHARGE).key(value));
    }

    @Test
    void p3RefusesAnEmptyKey() {
        isRefused(post(Endpoint.CHARGE).key(""));
    }

    @Test
    void p3RefusesAKeyThatIsTooLong() {
        isRefused(post(Endpoint.CHARGE).key("k".repeat(256)));
        post(Endpoint.CHARGE).key("k".repeat(219) + key).now().hasStatus(201);
        assertRuns(1);
    }

    @Test
    void p3RefusesASecondHeaderLine() {
        isRefused(keyed(Endpoint.CHARGE).key(key));
    }

    @Test
    void p4GuardsPatchToo() {
        runsOnce(201, () -> client().send("PATCH", "/charge").key(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE"})
    void p4LetsOtherMethodsPass(String method) {
        client().send(method, "/charge").key(key).now().hasStatus(201).isNoReplay();
        client().send(method, "/charge").key(key).now().hasStatus(201).isNoReplay();
        assertRuns(2);
    }

    @Test
    void p5RefusesARequestWithoutKeyAndLinksToTheDocumentation() {
        Received refused = post(Endpoint.CHARGE).now().isProblem(400, "key-missing", "not-applied", "new-key");

        assertThat(refused.header("Link"))
                .anySatisfy(
                        link -> assertThat(link).contains("<" + Endpoint.DOCUMENTATION + ">", "rel=\"describedby\""));
        assertRuns(0);
    }

    @Test
    void p5LetsARequestWithoutKeyPassWhereNoneIsRequired() {
        post(Endpoint.OPTIONAL).now().hasStatus(201).isNoReplay();
        post(Endpoint.OPTIONAL).now().hasStatus(201).isNoReplay();
        assertRuns(2);

        Received first = keyed(Endpoint.OPTIONAL).now().hasStatus(201);
        keyed(Endpoint.OPTIONAL).now().replays(first);
        assertRuns(3);
    }

    private void isRefused(Client.Sending request) {
        request.now().isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(0);
    }
}
