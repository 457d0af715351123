package dev.semel.http.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Header;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {

    private static final Header JSON = new Header("content-type", "application/json; charset=utf-8");

    private static @Nullable String stored(Redaction redaction, String body, Header... headers) {
        byte[] kept = redaction.body(List.of(headers), body.getBytes(StandardCharsets.UTF_8));
        return kept == null ? null : new String(kept, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/card|{ \"a\" : 1.0 , \"card\" : \"4111\" ,\"b\":\"€\\n\"}|{ \"a\" : 1.0 , \"card\" : \"[not stored]\" ,\"b\":\"€\\n\"}",
                "/card|{\"card\":4111}|{\"card\":\"[not stored]\"}",
                "/card|{\"card\":-1.5e3 }|{\"card\":\"[not stored]\" }",
                "/card|{\"card\":null,\"x\":true}|{\"card\":\"[not stored]\",\"x\":true}",
                "/card|{\"card\":{\"n\":[1,2,{}]},\"x\":[]}|{\"card\":\"[not stored]\",\"x\":[]}",
                "/card|{\"card\":[ \"a\", \"b\" ]}|{\"card\":\"[not stored]\"}",
                "/c/0/n|{\"c\":[{\"n\":1},{\"n\":2}]}|{\"c\":[{\"n\":\"[not stored]\"},{\"n\":2}]}",
                "/card|{\"card\":1,\"card\":2}|{\"card\":\"[not stored]\",\"card\":\"[not stored]\"}",
                "/card|{\"€\":\"€€\",\"card\":\"€\",\"x\":1}|{\"€\":\"€€\",\"card\":\"[not stored]\",\"x\":1}",
                "/card|{\"other\":1}|{\"other\":1}",
                "/card|\"text\"|\"text\""
            })
    void aValueIsReplacedAndEveryOtherByteStays(String pointer, String body, String expected) {
        assertThat(stored(Redaction.of(pointer), body, JSON)).isEqualTo(expected);
    }

    @Test
    void severalPointersAreReplacedAtOnce() {
        assertThat(stored(
                        Redaction.of("/b", "/a/x", "header:X-Token").withPlaceholder("\"gone\""),
                        "{\"a\":{\"x\":1,\"y\":2},\"b\":\"s\"}",
                        JSON))
                .isEqualTo("{\"a\":{\"x\":\"\\\"gone\\\"\",\"y\":2},\"b\":\"\\\"gone\\\"\"}");
    }

    @Test
    void aBodyThatCannotBeParsedIsNotStored() {
        Redaction redaction = Redaction.of("/card");

        assertThat(stored(redaction, "card 4111", new Header("Content-Type", "text/plain")))
                .isNull();
        assertThat(stored(redaction, "{\"card\":1}")).isNull();
        assertThat(stored(redaction, "{\"card\":1}", JSON, new Header("Content-Encoding", "gzip")))
                .isNull();
        assertThat(stored(redaction, "{\"card\":1}", JSON, new Header("Content-Type", "text/html")))
                .isNull();
        assertThat(stored(redaction, "{\"card\":1", JSON)).isNull();
        assertThat(stored(redaction, "{\"card\":1}{}", JSON)).isNull();
        for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16, StandardCharsets.UTF_16BE)) {
            assertThat(redaction.body(List.of(JSON), "{\"card\":1}".getBytes(charset)))
                    .isNull();
        }
        assertThat(stored(redaction, "", new Header("Content-Type", "text/plain")))
                .isEmpty();
    }

    @Test
    void withoutPointersEveryBodyIsStored() {
        assertThat(stored(Redaction.of("header:X-Token"), "text")).isEqualTo("text");
        assertThat(Redaction.of("header:X-Token").keeps("x-token")).isFalse();
        assertThat(Redaction.none().keeps("X-Token")).isTrue();
    }

    @Test
    void whatIsNeitherAPointerNorAHeaderIsRefused() {
        assertThatThrownBy(() -> Redaction.of("card")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Redaction.of("header:a b")).isInstanceOf(IllegalArgumentException.class);
    }
}
