package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.spool.Spool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestFingerprintTest {

    private static final String JSON = "application/json";

    private static Fingerprint of(
            String method, String path, @Nullable String query, String type, String body, Fields fields) {
        return of(RequestHead.of(method, path, query, lines("Content-Type", type)), body, fields, false);
    }

    /** Names and values in turns; a name that stands there twice has two lines. */
    private static HeaderLines lines(String... headers) {
        return name -> IntStream.range(0, headers.length / 2)
                .filter(i -> headers[2 * i].equals(name))
                .mapToObj(i -> headers[2 * i + 1])
                .toList();
    }

    private static Fingerprint of(RequestHead head, String body, Fields fields, boolean comparesHost) {
        try (Spool spool = Spool.of(50 << 20)) {
            spool.offer(body.getBytes(StandardCharsets.UTF_8));
            return RequestFingerprint.of(head, new RequestContent(head.headers()::lines, spool), fields, comparesHost);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Fingerprint post(String type, String body) {
        return of("POST", "/charge", null, type, body, Fields.all());
    }

    /** If this fails, stored fingerprints no longer match true retries: raise the version instead. */
    @Test
    void p6StaysTheSameFromReleaseToRelease() {
        assertThat(of(
                        "POST",
                        "/accounts/1/charge",
                        "b=2&a=%31",
                        JSON,
                        "{\"b\":[1.0,\"\u20ac\"],\"a\":null}",
                        Fields.all()))
                .hasToString("bc13d8ad0200000000ab5c6e0a979afcf13b4437236e683022ca1d389418e64fcd621e63d73b7f045c");
        assertThat(post("text/plain; charset=UTF-8", "hello"))
                .hasToString("bc13d8ad02000000006a268dcddfb8d075746fc247347b6f4067b4e83b466a92d2d01bd6373c2e8ca3");
    }

    @Test
    void p6TellsEveryPartApart() {
        Fingerprint base = post(JSON, "{\"a\":1}");

        assertThat(base.matches(of("PATCH", "/charge", null, JSON, "{\"a\":1}", Fields.all())))
                .isFalse();
        assertThat(base.matches(of("POST", "/charge2", null, JSON, "{\"a\":1}", Fields.all())))
                .isFalse();
        assertThat(base.matches(of("POST", "/charge", "a", JSON, "{\"a\":1}", Fields.all())))
                .isFalse();
        assertThat(base.matches(post("application/vnd.x+json", "{\"a\":1}"))).isFalse();
        assertThat(base.matches(post(JSON, "{\"a\":2}"))).isFalse();
        assertThat(base.matches(post(JSON, " {\"a\" : 1.0}"))).isTrue();
    }

    @Test
    void p6DoesNotConfuseAPathWithAQuery() {
        assertThat(of("POST", "/a", "b", JSON, "", Fields.all()))
                .isNotEqualTo(of("POST", "/ab", "", JSON, "", Fields.all()));
    }

    @Test
    void p6SeesThroughSpellingsOfAContentType() {
        assertThat(post("Application/JSON; charset=utf-8", "{}")).isEqualTo(post(JSON, "{}"));
        assertThat(post("text/plain;charset=UTF-8", "a")).isEqualTo(post("text/plain; charset=utf-8", "a"));
        assertThat(post("text/plain;charset=UTF-16", "a")).isNotEqualTo(post("text/plain; charset=utf-8", "a"));
        assertThat(post("multipart/form-data; boundary=a", "x"))
                .isEqualTo(post("multipart/form-data; boundary=b", "x"));
    }

    private static Fingerprint with(String... headers) {
        return of(RequestHead.of("POST", "/charge", null, lines(headers)), "{}", Fields.all(), false);
    }

    @Test
    void p6ComparesTheContentEncoding() {
        Fingerprint plain = with("Content-Type", JSON);
        Fingerprint gzip = with("Content-Type", JSON, "Content-Encoding", "gzip");

        assertThat(plain.matches(gzip)).isFalse();
        assertThat(gzip.matches(with("Content-Type", JSON, "Content-Encoding", "br")))
                .isFalse();
        assertThat(gzip.matches(with("Content-Type", JSON, "Content-Encoding", "GZIP, identity")))
                .isTrue();
        assertThat(plain.matches(with("Content-Type", JSON, "Content-Encoding", "identity")))
                .isTrue();
        assertThat(with("Content-Encoding", "gzip, br")
                        .matches(with("Content-Encoding", "gzip", "Content-Encoding", "br")))
                .isTrue();
    }

    @Test
    void p6ComparesEveryContentType() {
        Fingerprint one = with("Content-Type", JSON);

        assertThat(one.matches(with("Content-Type", JSON, "Content-Type", "text/plain")))
                .isFalse();
        assertThat(one.matches(with("Content-Type", JSON, "Content-Type", JSON)))
                .isFalse();
        assertThat(with("Content-Type", JSON, "Content-Type", "text/plain")
                        .matches(with("Content-Type", JSON, "Content-Type", "text/xml")))
                .isFalse();
    }

    @Test
    void p6ComparesTheHostWhereTheRulesSaySo() {
        RequestHead shop = RequestHead.of("POST", "/charge", null, lines("Host", "shop.example"));
        RequestHead spelled = RequestHead.of("POST", "/charge", null, lines("Host", "Shop.Example"));
        RequestHead other = RequestHead.of("POST", "/charge", null, lines("Host", "other.example"));

        Fingerprint compared = of(shop, "{}", Fields.all(), true);

        assertThat(compared.matches(of(other, "{}", Fields.all(), true))).isFalse();
        assertThat(compared.matches(of(spelled, "{}", Fields.all(), true))).isTrue();
        assertThat(of(shop, "{}", Fields.all(), false).matches(of(other, "{}", Fields.all(), false)))
                .isTrue();
        assertThat(compared.matches(of(other, "{}", Fields.all(), false)))
                .as("a changed rule is no mismatch")
                .isTrue();
    }

    @Test
    void p6ComparesWhatHasNoCanonicalFormByItsBytes() {
        for (String body : List.of("{\"a\":1,\"a\":1}", "[1", "{\"n\":12345678901234567890}", "\"\\ud800\"", "")) {
            assertThat(post(JSON, body)).isEqualTo(post(JSON, body)).isNotEqualTo(post(JSON, body + " "));
        }
    }

    @Test
    void p6HashesALargeBodyWithoutHoldingIt() {
        String large = "[" + " ".repeat(5 << 20) + "1]";
        assertThat(post(JSON, large)).isEqualTo(post(JSON, large)).isNotEqualTo(post(JSON, "[1]"));
    }

    @Test
    void p6IncludesOrIgnoresFields() {
        Fields only = Fields.only("/amount", "/to/iban");
        Fields but = Fields.allBut("/sentAt");
        String first = "{\"amount\":1,\"to\":{\"iban\":\"x\"},\"sentAt\":1}";
        String second = "{\"amount\":1,\"to\":{\"iban\":\"x\"},\"sentAt\":2}";
        String other = "{\"amount\":1,\"to\":{\"iban\":\"y\"},\"sentAt\":1}";
        for (Fields fields : List.of(only, but)) {
            assertThat(fields(first, fields)).isEqualTo(fields(second, fields)).isNotEqualTo(fields(other, fields));
        }
        assertThat(fields("{\"amount\":null}", only)).isNotEqualTo(fields("{}", only));
    }

    @Test
    void p6IgnoresExactlyTheElementsThatAreNamed() {
        Fields but = Fields.allBut("/items/0", "/items/1", "/items/0");
        assertThat(fields("{\"items\":[1,2,3]}", but))
                .isEqualTo(fields("{\"items\":[8,9,3]}", but))
                .isNotEqualTo(fields("{\"items\":[1,2,4]}", but));

        Fields nested = Fields.allBut("/items/0", "/items/1/at", "/items/1");
        assertThat(fields("{\"items\":[1,2,{\"at\":3}]}", nested))
                .isNotEqualTo(fields("{\"items\":[1,2,{\"at\":4}]}", nested));
    }

    private static Fingerprint fields(String body, Fields fields) {
        return of("POST", "/charge", null, JSON, body, fields);
    }
}
