package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreReaderTest {

    private final List<CompletableFuture<StoreStatistics>> questions = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final StoreReader reader = new StoreReader(new AskedStore(), nanos::get);

    @Test
    void neverWaitsForTheStore() {
        assertThat(bytes()).isNaN();

        questions.get(0).complete(statistics(7));

        assertThat(bytes()).isEqualTo(7);
    }

    @Test
    void asksOnceForAllWhoReadWithinAFewSeconds() {
        bytes();
        bytes();
        questions.get(0).complete(statistics(7));
        bytes();
        assertThat(questions).hasSize(1);

        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(bytes()).isEqualTo(7);
        bytes();
        assertThat(questions).hasSize(2);
    }

    @Test
    void keepsTheLastAnswerWhenThereIsNoNewOne() {
        bytes();
        questions.get(0).complete(statistics(7));
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        bytes();
        questions.get(1).completeExceptionally(new IllegalStateException("down"));

        assertThat(bytes()).isEqualTo(7);
    }

    private double bytes() {
        return reader.read(StoreStatistics::bytes);
    }

    private static StoreStatistics statistics(long bytes) {
        return StoreStatistics.builder(Instant.EPOCH, Map.of()).bytes(bytes).build();
    }

    private final class AskedStore implements Inspecting {

        @Override
        public CompletionStage<Instant> now() {
            return CompletableFuture.completedStage(Instant.EPOCH);
        }

        @Override
        public CompletionStage<StoreStatistics> statistics() {
            CompletableFuture<StoreStatistics> question = new CompletableFuture<>();
            questions.add(question);
            return question;
        }

        @Override
        public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<KeyPage> page(KeyQuery query) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
            throw new UnsupportedOperationException();
        }
    }
}
