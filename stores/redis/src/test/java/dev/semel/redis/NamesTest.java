package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.KeyDigest;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NamesTest {

    private final Names names = new Names("semel");

    @Test
    void everythingOfABucketIsInOneSlotAndEachBucketHasItsOwnPartOfTheSlots() {
        for (int bucket = 0; bucket < Names.BUCKETS; bucket++) {
            KeyDigest digest = new KeyDigest((long) bucket << 60, 42);
            int slot = SlotHash.getSlot(names.marker(bucket));

            assertThat(Names.bucketOf(digest)).isEqualTo(bucket);
            assertThat(slot).isEqualTo(Names.slotOf(bucket));
            assertThat(SlotHash.getSlot(names.record(digest))).isEqualTo(slot);
            assertThat(slot).isBetween(bucket * 1024, bucket * 1024 + 1023);
        }
    }

    /** Stored data depends on them: a release with other names would not find it. */
    @Test
    void namesDoNotChange() {
        assertThat(text(names.marker(0))).isEqualTo("semel:{10}:marker-4");
        assertThat(text(names.marker(15))).isEqualTo("semel:{40}:marker-4");
        assertThat(text(names.record(KeyDigest.parse("00112233445566778899aabbccddeeff"))))
                .isEqualTo("semel:{10}:00112233445566778899aabbccddeeff");
    }

    @Test
    void refusesAPrefixThatWouldChangeTheSlots() {
        assertThatThrownBy(() -> new Names("a{b}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a{b}");
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.US_ASCII);
    }
}
