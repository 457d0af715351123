package dev.semel.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import org.junit.jupiter.api.Test;

class KeyErasTest {

    private static final Key KEY = Key.of("alice", "key");

    private final KeyEras eras = new KeyEras();

    @Test
    void judgesEachEraOfAKeyByItself() {
        assertThat(eras.judged(KEY)).isEqualTo(KEY);

        eras.begin(KEY);
        Key second = eras.judged(KEY);
        eras.begin(KEY);

        assertThat(second).isNotEqualTo(KEY);
        assertThat(eras.judged(KEY)).isNotEqualTo(KEY).isNotEqualTo(second);
        assertThat(eras.judged(Key.of("bob", "key"))).isEqualTo(Key.of("bob", "key"));
    }

    @Test
    void remembersWhichKeysAreClosed() {
        eras.close(KEY);

        assertThat(eras.isClosed(KEY)).isTrue();
        assertThat(eras.isClosed(Key.of("bob", "key"))).isFalse();
    }
}
