package dev.semel.http.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SpoolTest {

    @Test
    void givesBackWhatWasWritten() throws IOException {
        for (int size : new int[] {0, 1, 65_535, 65_536, 65_537, 1_000_000}) {
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            try (Spool spool = Spool.of(1_000_000)) {
                for (int i = 0; i < size; i += 1000) {
                    assertThat(spool.offer(bytes, i, Math.min(1000, size - i))).isTrue();
                }
                assertThat(spool.size()).isEqualTo(size);
                assertThat(spool.bytes()).isEqualTo(bytes);
                try (InputStream in = spool.open()) {
                    assertThat(in.readAllBytes()).isEqualTo(bytes);
                }
            }
        }
    }

    @Test
    void isReadInParts() throws IOException {
        for (int size : new int[] {2_500, 100_000}) {
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            try (Spool spool = Spool.of(size)) {
                for (int i = 0; i < size; i += 500) {
                    spool.offer(bytes, i, 500);
                }
                try (InputStream in = spool.open()) {
                    assertThat(in.readNBytes(0)).isEmpty();
                    assertThat(in.readNBytes(1_200)).isEqualTo(Arrays.copyOf(bytes, 1_200));
                    assertThat(in.read()).isEqualTo(bytes[1_200] & 0xff);
                    assertThat(in.readNBytes(size)).isEqualTo(Arrays.copyOfRange(bytes, 1_201, size));
                    assertThat(in.readAllBytes()).isEmpty();
                    assertThatThrownBy(() -> in.readNBytes(-1)).isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
    }

    @Test
    void takesLittleMoreMemoryThanItHasBytes() throws IOException {
        for (int chunk : new int[] {1, 7, 1000, 100_000}) {
            byte[] bytes = new byte[1_000_000];
            new Random(chunk).nextBytes(bytes);
            try (Spool spool = Spool.inMemory(bytes.length)) {
                assertThat(spool.memory()).isZero();
                for (int i = 0; i < bytes.length; i += chunk) {
                    spool.offer(bytes, i, Math.min(chunk, bytes.length - i));
                    assertThat(spool.memory()).isBetween(spool.size(), spool.size() * 5 / 4 + 512);
                }
                assertThat(spool.bytes()).isEqualTo(bytes);
                try (InputStream in = spool.open()) {
                    assertThat(in.readAllBytes()).isEqualTo(bytes);
                }
            }
        }
    }

    @Test
    void takesNoMemoryForWhatIsInAFile() throws IOException {
        try (Spool spool = Spool.of(1 << 20)) {
            spool.offer(new byte[10]);
            assertThat(spool.memory()).isEqualTo(10);
            spool.offer(new byte[100_000]);
            assertThat(spool.memory()).isZero();
        }
    }

    @Test
    void goesToAFileWhenAllSpoolsTogetherTakeTooMuchMemory() throws IOException {
        SpoolMemory room = new SpoolMemory(1000);
        try (Spool first = Spool.of(1 << 20, room);
                Spool second = Spool.of(1 << 20, room)) {
            first.offer(new byte[600]);
            assertThat(second.blocks(400)).isFalse();
            second.offer(new byte[400]);
            assertThat(second.blocks(1)).isTrue();
            second.offer(new byte[1]);
            assertThat(second.memory()).isZero();
            assertThat(second.bytes()).hasSize(401);
            assertThat(room.used()).isEqualTo(600);
        }
        assertThat(room.used()).isZero();
    }

    @Test
    void takesNothingBeyondItsLimit() throws IOException {
        try (Spool spool = Spool.of(10)) {
            assertThat(spool.offer(new byte[10])).isTrue();
            assertThat(spool.offer(new byte[1])).isFalse();
            assertThat(spool.size()).isEqualTo(10);
        }
    }

    @Test
    void leavesNoFileThatAKilledProcessCouldLeaveBehind() throws IOException {
        long before = files();
        try (Spool spool = Spool.of(1 << 20)) {
            spool.offer(new byte[100_000]);
            assertThat(files()).isEqualTo(before);
            spool.reset();
            assertThat(files()).isEqualTo(before);
            assertThat(spool.size()).isZero();
            spool.offer(new byte[100_000]);
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aReaderKeepsTheBytesBeyondTheEndOfTheSpool() throws IOException {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        Spool spool = Spool.of(1 << 20);
        spool.offer(bytes);
        try (InputStream in = spool.open();
                InputStream another = spool.open()) {
            spool.close();
            assertThat(in.readNBytes(70_000)).isEqualTo(Arrays.copyOf(bytes, 70_000));
            assertThat(another.readAllBytes()).isEqualTo(bytes);
            assertThat(in.available()).isEqualTo(30_000);
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 70_000, 100_000));
            in.close();
            assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void staysInMemoryWhereItMustNotBlock() throws IOException {
        long before = files();
        try (Spool spool = Spool.inMemory(1 << 20)) {
            spool.offer(new byte[1 << 20]);
            assertThat(files()).isEqualTo(before);
        }
    }

    @Test
    void refusesToBeUsedAfterItsEnd() throws IOException {
        Spool spool = Spool.of(10);
        spool.close();
        spool.close();

        assertThatThrownBy(() -> spool.offer(new byte[1])).isInstanceOf(IOException.class);
        assertThatThrownBy(spool::open).isInstanceOf(IOException.class);
    }

    private static long files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().matches("semel-.*\\.spool"))
                    .count();
        }
    }
}
