package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import dev.semel.http.spool.Spool;
import dev.semel.policy.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySourceTest {

    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private final Map<String, List<String>> headers =
            new HashMap<>(Map.of("Content-Type", List.of("application/json")));
    private @Nullable String query;
    private Instant now = Instant.parse("2026-11-18T23:59:59Z");

    private @Nullable String derive(KeySource source, String operation, String path, String body) {
        try {
            return read(source, operation, path, body.getBytes(StandardCharsets.UTF_8));
        } catch (InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable String read(KeySource source, String operation, String path, byte[] body)
            throws InvalidKeyException {
        RequestHead head = RequestHead.of("POST", path, query, name -> headers.getOrDefault(name, List.of()));
        HttpRules rules = HttpRules.builder(Policy.external(operation).build())
                .keySource(source)
                .build();
        try (Spool spool = Spool.of(20 << 20)) {
            spool.offer(body);
            return new KeyReader(rules, head)
                    .read(new RequestContent(head.headers()::lines, spool), InstantSource.fixed(now));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The key that a client sends in a body; what is refused is the complaint. */
    private @Nullable String sent(KeySource source, String body) {
        return sent(source, body.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable String sent(KeySource source, byte[] body) {
        try {
            return read(source, "pay", "/", body);
        } catch (InvalidKeyException e) {
            return "refused: " + e.detail();
        }
    }

    @Test
    void aNaturalKeyComesFromTheRequest() {
        KeySource source = KeySource.natural(head -> head.path().startsWith("/orders/") ? head.path() : null);

        assertThat(derive(source, "pay", "/orders/1", "")).isEqualTo(derive(source, "pay", "/orders/1", "{}"));
        assertThat(derive(source, "pay", "/orders/1", "")).isNotEqualTo(derive(source, "pay", "/orders/2", ""));
        assertThat(derive(source, "pay", "/orders/1", "")).isNotEqualTo(derive(source, "ship", "/orders/1", ""));
        assertThat(derive(source, "pay", "/other", "")).isNull();
    }

    @Test
    void aNaturalKeyComesFromFieldsOfTheBody() {
        KeySource source = KeySource.naturalFields("/order/id", "/line");

        assertThat(derive(source, "pay", "/", "{\"line\":1,\"order\":{\"id\":\"7\"}}"))
                .isEqualTo(derive(source, "pay", "/", "{\"order\":{\"id\":\"7\",\"x\":1},\"line\":1.0}"))
                .isNotEqualTo(derive(source, "pay", "/", "{\"line\":2,\"order\":{\"id\":\"7\"}}"))
                .isNotEqualTo(derive(source, "pay", "/", "{\"line\":1,\"order\":{\"id\":7}}"));
        assertThat(derive(source, "pay", "/", "{\"line\":1}")).isNull();
        assertThat(derive(source, "pay", "/", "not json")).isNull();
    }

    @Test
    void aBodyHashIsTheSameForEqualBodiesAndTellsNothingWithoutTheSecret() {
        KeySource source = KeySource.bodyHash(SECRET, Fields.allBut("/sentAt"));
        KeySource other = KeySource.bodyHash("another-secret-16".getBytes(StandardCharsets.UTF_8), Fields.all());

        assertThat(derive(source, "pay", "/", "{\"a\":1,\"sentAt\":1}"))
                .isEqualTo(derive(source, "pay", "/", "{\"sentAt\":2, \"a\":1}"))
                .isNotEqualTo(derive(source, "pay", "/", "{\"a\":2,\"sentAt\":1}"))
                .isNotEqualTo(derive(other, "pay", "/", "{\"a\":1}"));
        assertThat(derive(source, "pay", "/", "plain")).isEqualTo(derive(source, "pay", "/", "plain"));
        assertThat(derive(source, "pay", "/", "plain")).isNotEqualTo(derive(source, "pay", "/", "other"));
    }

    @Test
    void aNaturalKeyIsStoredReadablyAndIsTheKeyOfItsDigest() {
        KeySource orders = KeySource.natural(head -> "17");
        KeySource fields = KeySource.naturalFields("/reference", "/line");

        assertThat(derive(orders, "pay", "/", "")).isEqualTo("@pay:17");
        assertThat(derive(fields, "pay", "/", "{\"reference\":\"R-1\",\"line\":2.0}"))
                .isEqualTo("@pay=\"R-1\",2");
        // What the releases before stored for the same requests.
        assertThat(Key.of("s", "@pay:17")).isEqualTo(Key.of("s", "OeRi7mmBA6RPkQhlrgyCDOQ2hka5Ho5sTCmZ0ori3I8"));
        assertThat(Key.of("s", "@pay=\"R-1\",2")).isEqualTo(Key.of("s", "uo8wzMozh_oGPNpj7do4CjMglmjwOMjKw8DHPwH5pq8"));
    }

    @Test
    void fieldsThatDoNotFitAreStoredAsADigest() {
        KeySource source = KeySource.naturalFields("/reference");

        for (String value : List.of("\"a\\\"b\"", "{\"a\":1}", "[1]", "\"" + "x".repeat(250) + "\"")) {
            assertThat(derive(source, "pay", "/", "{\"reference\":" + value + "}"))
                    .matches("[A-Za-z0-9_-]{43}");
        }
    }

    @Test
    void theVariablesOfAPathAreANaturalKey() {
        KeySource source = new KeySource.PathVariables("/orders/{order}/captures/{capture}");

        assertThat(derive(source, "pay", "/orders/17/captures/3", "")).isEqualTo("@pay:17/3");
        assertThat(derive(source, "pay", "/orders/%31%37/captures/3", "")).isEqualTo("@pay:17/3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/17",
                "/orders//captures/3",
                "/orders/1;a=b/captures/3",
                "/orders/1%2F2/captures/3",
                "/orders/../captures/3",
                "/orders/%2e%2e/captures/3",
                "/orders/%zz/captures/3",
                "/orders/%ff/captures/3",
                "/orders/17/captures/3/"
            })
    void aPathThatCanBeReadInSeveralWaysHasNoKey(String path) {
        KeySource source = new KeySource.PathVariables("/orders/{order}/captures/{capture}");

        assertThat(derive(source, "pay", path, "")).isNull();
    }

    @Test
    void aClientCanSendItsKeyInAJsonBody() {
        KeySource source = new KeySource.BodyPointer("/meta/request_id");

        assertThat(sent(source, "{\"meta\":{\"request_id\":\"r-1\"},\"id\":12345678901234567890}"))
                .isEqualTo("r-1");
        assertThat(sent(source, "{\"meta\":{\"request_id\":42}}")).isEqualTo("42");
        assertThat(sent(new KeySource.BodyPointer("/0/id"), "[{\"id\":\"a\"},{\"id\":\"b\"}]"))
                .isEqualTo("a");
        assertThat(sent(source, "{\"meta\":{\"request_id\":null}}")).isNull();
        assertThat(sent(source, "{\"meta\":[]}")).isNull();
        assertThat(sent(source, "")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"request_id\":\"a\",\"request_id\":\"b\"}",
                "{\"x\":{\"y\":1,\"y\":2},\"request_id\":\"a\"}",
                "{\"request_id\":\"a\"}{\"request_id\":\"b\"}",
                "{\"request_id\":\"a\"",
                "{\"request_id\":1.5}",
                "{\"request_id\":-1}",
                "{\"request_id\":{}}",
                "{\"request_id\":\"\"}",
                "{\"request_id\":\"\u00e9\"}",
                "{\"request_id\":\"a\\nb\"}",
                "not json"
            })
    void aBodyThatTwoReadersCouldReadDifferentlyIsRefused(String body) {
        assertThat(sent(new KeySource.BodyPointer("/request_id"), body)).startsWith("refused: ");
    }

    @Test
    void aBodyInAnotherEncodingIsRefused() {
        KeySource source = new KeySource.BodyPointer("/request_id");
        String body = "{\"request_id\":\"a\"}";
        assertThat(sent(source, body.getBytes(StandardCharsets.UTF_16))).startsWith("refused: ");
        assertThat(sent(source, "{\"x\":\"\u00e9\",\"request_id\":\"a\"}".getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("refused: ");
        headers.put("Content-Encoding", List.of("gzip"));
        assertThat(sent(source, body)).startsWith("refused: ");
        headers.put("Content-Encoding", List.of("identity"));
        headers.put("Content-Type", List.of("text/plain"));
        assertThat(sent(source, body)).isNull();
    }

    @Test
    void aKeyBehindTenMegabytesIsFoundAndAKeyOfTenMegabytesIsNot() {
        String large = "x".repeat(10 << 20);
        KeySource source = new KeySource.BodyPointer("/request_id");

        assertThat(sent(source, "{\"file\":\"" + large + "\",\"request_id\":\"r-1\"}"))
                .isEqualTo("r-1");
        assertThat(sent(source, "{\"request_id\":\"" + large + "\"}"))
                .startsWith("refused: ")
                .hasSizeLessThan(400);
        assertThat(sent(source, "[".repeat(200_000))).startsWith("refused: ");
        assertThat(sent(source, "[" + "1,".repeat(150_000) + "1]")).startsWith("refused: ");
    }

    @Test
    void aClientCanSendItsKeyInAForm() {
        KeySource source = new KeySource.FormField("key");
        headers.put("Content-Type", List.of("application/x-www-form-urlencoded"));

        assertThat(sent(source, "amount=1&key=a%2Bb+c&x=%zz")).isEqualTo("a+b c");
        assertThat(sent(source, "amount=1")).isNull();
        assertThat(sent(source, "key=a&k%65y=b")).startsWith("refused: ");
        assertThat(sent(source, "key=a&key=a")).startsWith("refused: ");
        assertThat(sent(source, "key=%zz")).startsWith("refused: ");
        assertThat(sent(source, "key=%ff")).startsWith("refused: ");
        assertThat(sent(source, "key=a;b")).startsWith("refused: ");
        assertThat(sent(source, "key=")).startsWith("refused: ");
        assertThat(sent(source, "key=a&x=" + "y".repeat(2 << 20))).startsWith("refused: ");

        headers.put("Content-Type", List.of("application/x-www-form-urlencoded; charset=UTF-8"));
        assertThat(sent(source, "key=a")).isEqualTo("a");
        headers.put("Content-Type", List.of("application/x-www-form-urlencoded; charset=iso-8859-1"));
        assertThat(sent(source, "key=a")).startsWith("refused: ");
        headers.put("Content-Type", List.of("multipart/form-data; boundary=b"));
        assertThat(sent(source, "key=a")).isNull();
    }

    @Test
    void aClientCanSendItsKeyInTheQuery() {
        KeySource source = new KeySource.QueryParameter("key");

        assertThat(sent(source, "{}")).isNull();
        query = "a=b&key=k-1";
        assertThat(sent(source, "{}")).isEqualTo("k-1");
        query = "key=a&key=b";
        assertThat(sent(source, "{}")).startsWith("refused: ");
    }

    @Test
    void theFirstOfSeveralSourcesCountsUnlessTheyDisagree() {
        KeySource source = KeySource.firstOf(
                KeySource.header(),
                new KeySource.NamedHeader("X-Request-Key"),
                new KeySource.BodyPointer("/id"),
                KeySource.bodyHash(SECRET, Fields.all()));

        assertThat(sent(source, "{\"amount\":1}")).matches("[A-Za-z0-9_-]{43}");
        assertThat(sent(source, "{\"id\":\"a\"}")).isEqualTo("a");
        headers.put("X-Request-Key", List.of("b"));
        assertThat(sent(source, "{}")).isEqualTo("b");
        assertThat(sent(source, "{\"id\":\"a\"}"))
                .isEqualTo(
                        "refused: The X-Request-Key header and the key at /id of its JSON body are two different keys;"
                                + " send one, or the same in both places.");
        headers.put("Idempotency-Key", List.of("\"b\""));
        assertThat(sent(source, "{\"id\":\"b\"}")).isEqualTo("b");
        headers.put("Idempotency-Key", List.of("a", "b"));
        assertThat(sent(source, "{}")).startsWith("refused: ");
    }

    @Test
    void aKeyInAHeaderDoesNotNeedABodyThatCouldCarryOne() {
        KeySource source =
                KeySource.firstOf(KeySource.header(), new KeySource.BodyPointer("/id"), new KeySource.FormField("id"));

        headers.put("Content-Type", List.of("text/csv"));
        assertThat(sent(source, "a,b")).isNull();
        headers.put("Idempotency-Key", List.of("k"));
        assertThat(sent(source, "a,b")).isEqualTo("k");
    }

    @Test
    void onlyTheLastSourceMayBeMadeOfTheRequest() {
        assertThatThrownBy(() ->
                        KeySource.firstOf(KeySource.bodyHash(SECRET, Fields.all()), new KeySource.NamedHeader("X-Key")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("last");
    }

    @Test
    void aHashOfTheTargetTellsPathsApart() {
        KeySource source = KeySource.bodyHash(SECRET, Fields.all()).withTarget();

        assertThat(derive(source, "pay", "/accounts/1", "{}"))
                .isEqualTo(derive(source, "pay", "/accounts/%31", " {}"))
                .isNotEqualTo(derive(source, "pay", "/accounts/2", "{}"));
        String before = derive(source, "pay", "/", "{}");
        query = "a=1";
        assertThat(derive(source, "pay", "/", "{}")).isNotEqualTo(before);
    }

    @Test
    void aHashInBucketsIsANewKeyInTheNextOne() {
        KeySource source = KeySource.bodyHash(SECRET, Fields.all()).inBuckets(Duration.ofDays(1));

        String today = derive(source, "pay", "/", "{}");
        now = Instant.parse("2026-11-18T00:00:00Z");
        assertThat(derive(source, "pay", "/", "{}")).isEqualTo(today);
        now = Instant.parse("2026-11-19T00:00:00Z");
        assertThat(derive(source, "pay", "/", "{}")).isNotEqualTo(today);
    }

    @Test
    void sourcesAreReadAsTheyAreConfigured() {
        KeySource.BodyHash hash = KeySource.bodyHash(SECRET, Fields.all());
        assertThat(KeySource.parse(List.of("header"), null)).isEqualTo(KeySource.header());
        assertThat(KeySource.parse(List.of("header:X-Key", "json:/a", "form:f", "query:q", "path:/o/{o}"), null))
                .isEqualTo(KeySource.firstOf(
                        new KeySource.NamedHeader("X-Key"),
                        new KeySource.BodyPointer("/a"),
                        new KeySource.FormField("f"),
                        new KeySource.QueryParameter("q"),
                        new KeySource.PathVariables("/o/{o}")));
        assertThat(KeySource.parse(List.of("header", "body-hash"), hash))
                .isEqualTo(KeySource.firstOf(KeySource.header(), hash));
        assertThat(KeySource.parse(List.of("body-hash:1d"), hash))
                .usingRecursiveComparison()
                .isEqualTo(hash.inBuckets(Duration.ofDays(1)));
        assertThat(KeySource.parse(List.of("natural:/a /b"), null)).isInstanceOf(KeySource.NaturalFields.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "cookie:a", "header:", "header:a b", "json:a", "form:", "query:", "path:/a", "body-hash"})
    void whatIsNoSourceIsRefused(String text) {
        assertThatThrownBy(() -> KeySource.parse(List.of(text), null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aShortSecretIsRefused() {
        assertThatThrownBy(() -> KeySource.bodyHash(new byte[15], Fields.all()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("15");
    }
}
