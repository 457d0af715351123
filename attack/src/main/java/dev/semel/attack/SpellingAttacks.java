package dev.semel.attack;

import static dev.semel.attack.lab.Requests.ALICE;
import static dev.semel.attack.lab.Requests.HOST;
import static dev.semel.attack.lab.Requests.request;

import java.util.List;

/** Requests without a key that the gateway may take for unguarded, and the service for a charge or for something internal. */
final class SpellingAttacks {

    private SpellingAttacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.SPELLING);
        target(list, "dots", "/search/../charges");
        target(list, "dots-with-parameter", "/search/..;/charges");
        target(list, "dots-with-parameter-value", "/search/..;x=y/charges");
        target(list, "dot-with-parameter", "/search/.;/../charges");
        target(list, "backslash", "/search/..\\charges");
        target(list, "backslashes", "/search\\..\\charges");
        target(list, "escaped-backslash", "/search/..%5ccharges");
        target(list, "escaped-dots", "/search/%2e%2e/charges");
        target(list, "half-escaped-dots", "/search/.%2E/charges");
        target(list, "escaped-parameter", "/search/%2e%2e%3b/charges");
        target(list, "twice-escaped-dots", "/search/%252e%252e/charges");
        target(list, "overlong-dots", "/search/%c0%ae%c0%ae/charges");
        target(list, "fragment", "/search/x#/../charges");
        target(list, "escaped-slash", "/search%2fcharges");
        target(list, "escaped-letter", "/%63harges");
        target(list, "parameter-on-segment", "/charges;x=y");
        target(list, "double-slash", "//charges");
        target(list, "escaped-nul", "/search/%00/charges");
        target(list, "broken-escape", "/search/%zz");
        target(list, "raw-byte", "/search/caf\u00e9");
        target(list, "base-path-dots", "/search/../../admin");
        target(list, "base-path-parameter", "/..;/admin");
        target(list, "base-path-escaped", "/%2e%2e/admin");
        target(list, "base-path-suffix", "-internal/x");
        target(list, "no-slash", "charges");
        target(list, "query-only", "?x");
        target(list, "asterisk", "*");
        target(list, "other-scheme", "ftp://shop.example/charges");
        target(list, "absolute-dots", "http://shop.example/search/../charges");
        target(list, "absolute-without-host", "http:///charges");
        target(list, "space-in-target", "/search /../charges");
        methods(list);
        hosts(list);
        return list.all();
    }

    private static void target(Listing list, String name, String target) {
        list.refused(name, "POST " + target.replace("\u00e9", "\\xe9"), request("POST " + target, HOST + ALICE));
    }

    private static void methods(Listing list) {
        list.refused("lower-case-method", "post /charges", request("post /charges", HOST + ALICE))
                .refused("mixed-case-method", "Post /charges", request("Post /charges", HOST + ALICE))
                .refused("method-with-nul", "a NUL behind POST", request("POST\u0000 /charges", HOST + ALICE));
        override(list, "override", "X-HTTP-Method-Override: POST");
        override(list, "override-lower-case", "X-HTTP-Method: post");
        override(list, "override-underscores", "X_HTTP_Method_Override: POST");
        override(list, "override-method", "X-Method-Override: PATCH");
    }

    private static void override(Listing list, String name, String line) {
        list.refused(name, "PUT with " + line, request("PUT /charges", HOST + ALICE + line + "\r\n"));
    }

    private static void hosts(Listing list) {
        list.refused("two-hosts", "two hosts", request("POST /search", HOST + "Host: other.example\r\n"))
                .refused("no-host", "no host", request("POST /search", ""))
                .refused("empty-host", "an empty host", request("POST /search", "Host: \r\n"))
                .refused("path-in-host", "Host: shop.example/x", request("POST /search", "Host: shop.example/x\r\n"))
                .refused("user-in-host", "Host: a@shop.example", request("POST /search", "Host: a@shop.example\r\n"))
                .refused(
                        "connect",
                        "CONNECT to another port",
                        request("CONNECT 127.0.0.1:22", "Host: 127.0.0.1:22\r\n"));
    }
}
