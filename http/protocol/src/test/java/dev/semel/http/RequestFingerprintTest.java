package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestFingerprintTest {

    private static final String JSON = "application/json";

    private static Fingerprint of(
            String method, String path, @Nullable String query, String type, String body, Fields fields) {
        Map<String, List<String>> headers = Map.of("Content-Type", List.of(type));
        RequestHead head = new RequestHead(method, path, query, name -> headers.getOrDefault(name, List.of()));
        try (Spool spool = Spool.of(50 << 20)) {
            spool.offer(body.getBytes(StandardCharsets.UTF_8));
            return RequestFingerprint.of(head, new RequestContent(head, spool), fields);
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
                .hasToString("bc13d8ad0100000000f581e755076e41b76ac15842af679d4d580699002bcda94065f48ff00668889b");
        assertThat(post("text/plain; charset=UTF-8", "hello"))
                .hasToString("bc13d8ad0100000000479948f3003105ee3ee20d6e7a3e83963771bec60898e88589c20c87cb9d45c5");
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
