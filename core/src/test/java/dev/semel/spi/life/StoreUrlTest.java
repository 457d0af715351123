package dev.semel.spi.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreUrlTest {

    private static StoreUrl parse(String url) {
        return StoreUrl.parse(url, "engine://host:1/path", List.of("createIfMissing", "maxClockSkew"));
    }

    @Test
    void readsEveryPart() {
        StoreUrl url = parse("engine://ali%40ce:p%2Fw@one:1,two:2/keys?createIfMissing=true&maxClockSkew=500");

        assertThat(url.user()).isEqualTo("ali@ce");
        assertThat(url.password()).isEqualTo("p/w");
        assertThat(url.hosts()).containsExactly("one:1", "two:2");
        assertThat(url.path()).isEqualTo("keys");
        assertThat(url.option("createIfMissing", "false")).isEqualTo("true");
        assertThat(url.maxClockSkew()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void doesWithoutMostParts() {
        StoreUrl url = parse("engine://one");

        assertThat(url.user()).isNull();
        assertThat(url.hosts()).containsExactly("one");
        assertThat(url.path()).isEqualTo("semel");
        assertThat(url.option("createIfMissing", "false")).isEqualTo("false");
        assertThat(url.maxClockSkew()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void refusesWhatItDoesNotKnowAndShowsNoPassword() {
        for (String wrong : List.of("engine://", "other://a:secret@host", "engine://a:secret@host?creat=true")) {
            assertThatThrownBy(() -> parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void doesNotShowThePassword() {
        assertThat(parse("engine://alice:secret@one:1/keys").toString())
                .contains("one:1")
                .doesNotContain("secret");
    }

    @Test
    void saysWhichClockSkewItCannotRead() {
        assertThatThrownBy(() -> parse("engine://one:1/keys?maxClockSkew=2s").maxClockSkew())
                .hasMessage("maxClockSkew must be a number of milliseconds, got \"2s\"");
    }
}
