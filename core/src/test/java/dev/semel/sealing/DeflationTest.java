package dev.semel.sealing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeflationTest {

    /** One that was left in the middle, because it gained nothing, is used again like a new one. */
    @Test
    void whatWasCompressedBeforeLeavesNoTrace() {
        IntStream.range(0, 2000).parallel().forEach(i -> {
            byte[] random = new byte[1000];
            new Random(i).nextBytes(random);
            byte[] text = ("order " + i + " ").repeat(100).getBytes(StandardCharsets.UTF_8);

            assertThat(Deflation.deflate(random)).isNull();
            byte[] deflated = Deflation.deflate(text);

            assertThat(deflated).isNotNull().hasSizeLessThan(100);
            assertThat(Deflation.inflate(deflated, text.length)).isEqualTo(text);
        });
    }
}
