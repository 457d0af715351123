package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.spool.Spool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeySourceTest {

    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private static @Nullable String derive(KeySource source, String operation, String path, String body) {
        RequestHead head = new RequestHead(
                "POST", path, null, name -> name.equals("Content-Type") ? List.of("application/json") : List.of());
        try (Spool spool = Spool.of(1000)) {
            spool.offer(body.getBytes(StandardCharsets.UTF_8));
            return DerivedKey.of(source, operation, head, new RequestContent(head.headers()::lines, spool));
        } catch (IOException e) {
            throw new IllegalStateException(e);
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
    void aShortSecretIsRefused() {
        assertThatThrownBy(() -> KeySource.bodyHash(new byte[15], Fields.all()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("15");
    }
}
