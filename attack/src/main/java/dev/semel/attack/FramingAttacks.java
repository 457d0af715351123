package dev.semel.attack;

import static dev.semel.attack.lab.Requests.ALICE;
import static dev.semel.attack.lab.Requests.CLOSE;
import static dev.semel.attack.lab.Requests.HOST;
import static dev.semel.attack.lab.Requests.SMUGGLED;
import static dev.semel.attack.lab.Requests.charge;
import static dev.semel.attack.lab.Requests.key;

import dev.semel.attack.lab.Rule;
import java.util.List;

/** Requests of HTTP/1 that end somewhere else for the gateway than for the service. */
final class FramingAttacks {

    private static final String END = "0\r\n\r\n";

    private FramingAttacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.FRAMING);
        lengths(list);
        codings(list);
        chunks(list);
        lines(list);
        connections(list);
        return list.all();
    }

    private static void lengths(Listing list) {
        length(list, "cl-then-te", "Content-Length: 5\r\nTransfer-Encoding: chunked");
        length(list, "te-then-cl", "Transfer-Encoding: chunked\r\nContent-Length: 5");
        length(list, "two-lengths", "Content-Length: 5\r\nContent-Length: 500");
        length(list, "list-of-lengths", "Content-Length: 5, 500");
        length(list, "signed-length", "Content-Length: +5");
        length(list, "negative-length", "Content-Length: -5");
        length(list, "hexadecimal-length", "Content-Length: 0x5");
        length(list, "overflowing-length", "Content-Length: 18446744073709551621");
        length(list, "length-with-space", "Content-Length: 5 0");
        length(list, "space-before-colon", "Content-Length : 5");
    }

    private static void length(Listing list, String name, String lines) {
        smuggling(list, name, lines.replace("\r\n", " and "), lines);
    }

    private static void codings(Listing list) {
        coding(list, "te-misspelled", "Transfer-Encoding: xchunked");
        coding(list, "te-space-before-colon", "Transfer-Encoding : chunked");
        coding(list, "te-vertical-tab", "Transfer-Encoding: \u000bchunked");
        coding(list, "te-identity", "Transfer-Encoding: identity");
        coding(list, "te-twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity");
        coding(list, "te-chunked-first", "Transfer-Encoding: chunked, gzip");
        coding(list, "te-quoted", "Transfer-Encoding: \"chunked\"");
        list.bytes(
                "te-gzip",
                "Transfer-Encoding: gzip, chunked, whose label must not get lost",
                List.of(charge("te-gzip") + "Transfer-Encoding: gzip, chunked\r\n" + CLOSE + "\r\n2\r\n{}\r\n" + END),
                Rule.refused());
        list.refused(
                "te-in-http-1.0",
                "HTTP/1.0 with Transfer-Encoding and Content-Length",
                charge("te-in-http-1.0").replace("HTTP/1.1", "HTTP/1.0")
                        + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + END + SMUGGLED);
    }

    private static void coding(Listing list, String name, String lines) {
        String about = lines.replace("\r\n", " and ").replace("\u000b", "\\v");
        smuggling(list, name, about, "Content-Length: 5\r\n" + lines);
    }

    /** A request with these lines about its length, an end, and another request behind it. */
    private static void smuggling(Listing list, String name, String about, String lines) {
        list.refused(name, about, charge(name) + lines + "\r\n\r\n" + END + SMUGGLED);
    }

    private static void header(Listing list, String name, String about, String lines) {
        list.refused(name, about, charge(name, lines));
    }

    private static void chunks(Listing list) {
        chunk(list, "chunk-size-overflow", "10000000000000002\r\n{}\r\n0\r\n\r\n");
        chunk(list, "chunk-size-negative", "-2\r\n{}\r\n0\r\n\r\n");
        chunk(list, "chunk-size-prefix", "0x2\r\n{}\r\n0\r\n\r\n");
        chunk(list, "chunk-longer-than-said", "2\r\n{}0\r\n\r\n");
        chunk(list, "chunk-extension-line-end", "2;\n{}\r\n0\r\n\r\n");
        list.bytes(
                "trailer-fields",
                "a trailer that names the caller, the key and the length",
                List.of(charge("trailer-fields") + "Transfer-Encoding: chunked\r\n" + CLOSE
                        + "\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer forged\r\nIdempotency-Key: forged\r\n"
                        + "Content-Length: 77\r\n\r\n"),
                Rule.reachedAtMost(1),
                Rule.hidden("forged"),
                Rule.hidden("77"));
    }

    private static void chunk(Listing list, String name, String body) {
        list.refused(
                name,
                "the chunk " + body.split("0\r\n\r\n")[0].replace("\r", "\\r").replace("\n", "\\n"),
                charge(name) + "Transfer-Encoding: chunked\r\n\r\n" + body + SMUGGLED);
    }

    private static void lines(Listing list) {
        list.bytes(
                "folded-header",
                "a header that goes on in the next line",
                List.of(charge("folded-header", "X-Folded: a\r\n Content-Length: 77\r\n")),
                Rule.reachedAtMost(1));
        String folded = "Content-Length: 5\r\nTransfer-Encoding:\r\n chunked";
        String lineFeed = "Content-Length: 5\r\nX-A: b\nTransfer-Encoding: chunked";
        String carriageReturn = "Content-Length: 5\r\nX-A: b\rTransfer-Encoding: chunked";
        smuggling(list, "folded-coding", "Transfer-Encoding that goes on in the next line", folded);
        smuggling(list, "bare-line-feed", "a line feed alone before Transfer-Encoding", lineFeed);
        smuggling(list, "bare-carriage-return", "a carriage return alone before Transfer-Encoding", carriageReturn);
        header(list, "nul-in-header", "a NUL in a header", "X-A: b\u0000c\r\n");
        header(list, "nul-in-name", "a NUL in the name of a header", "X\u0000A: b\r\n");
        header(list, "header-without-colon", "a line without a colon", "X-A\r\n");
        header(list, "empty-name", "a header without a name", ": b\r\n");
        String bare = "POST /charges\r\n" + HOST + ALICE + key("http-0.9") + "\r\n";
        list.refused("http-0.9", "a request without a version", bare);
        header(list, "oversized-header", "a header of 100 KB", "X-A: " + "a".repeat(100_000) + "\r\n");
        list.refused(
                "oversized-target",
                "a target of 100 KB",
                charge("oversized-target", "").replace("/charges ", "/charges?" + "a".repeat(100_000) + " "));
        header(list, "ten-thousand-headers", "ten thousand headers", "X-A: b\r\n".repeat(10_000));
    }

    private static void connections(Listing list) {
        String twice = charge("pipelined-twice") + "Content-Length: 2\r\n\r\n{}";
        list.bytes(
                        "pipelined-twice",
                        "one key twice in one packet",
                        List.of(twice + charge("pipelined-twice", "")),
                        Rule.reached(1))
                .bytes(
                        "late-body-after-head",
                        "a response to HEAD whose body comes late",
                        List.of(
                                "HEAD /search/late HTTP/1.1\r\n" + HOST + "\r\n",
                                get("/search/a"),
                                get("/search/b"),
                                get("/search/c"),
                                get("/search/d")),
                        Rule.untold("poisoned"))
                .bytes(
                        "upgrade-to-http-2",
                        "an upgrade that would tunnel requests",
                        List.of("GET /search/x HTTP/1.1\r\n" + HOST
                                + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
                                + "\r\n"),
                        Rule.hidden("h2c"))
                .bytes(
                        "upgrade-that-is-declined",
                        "a request behind an upgrade that the service declines",
                        List.of("GET /search/x HTTP/1.1\r\n" + HOST
                                + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nPOST /charges HTTP/1.1\r\n" + HOST
                                + "Content-Length: 0\r\n\r\n"),
                        Rule.reachedAtMost(1))
                .bytes(
                        "upgrade-with-a-body",
                        "an upgrade whose body is a request",
                        List.of("POST /search/x HTTP/1.1\r\n" + HOST
                                + "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: " + SMUGGLED.length()
                                + "\r\n\r\n" + SMUGGLED),
                        Rule.reachedAtMost(1),
                        Rule.hidden("smuggled"));
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\n" + HOST + CLOSE + "\r\n";
    }
}
