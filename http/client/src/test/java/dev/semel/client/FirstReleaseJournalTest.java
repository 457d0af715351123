package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.client.journal.BegunOperation;
import dev.semel.client.journal.JournalLine;
import dev.semel.client.journal.SecretHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal as 0.1.0 writes it, in a file that never changes: a client that was updated finds what it had not finished. As long as the
 * number in the first line stays, lines are written as they were, so that the client can go back.
 */
class FirstReleaseJournalTest {

    private static final String FILE = "0.1.0/keys.journal";
    private static final Instant BEGUN = Instant.parse("2026-11-16T12:00:00.123456Z");

    /** Answered. */
    private static final BegunOperation FIRST = begun("order-1", "{\"amount\":1}", Map.of());

    /** With everything that a line can have. */
    private static final BegunOperation WHOLE = begun(
                    "order 2 = 100%",
                    "{\"amount\":2}",
                    Map.of(
                            "Authorization",
                            List.of("Bearer s3cret"),
                            "X-Api-Key",
                            List.of("s3cret"),
                            "Accept",
                            List.of("application/json", "text/plain;q=0.5"),
                            "Stripe-Account",
                            List.of("acct 1=2&3")))
            .expiringAt(BEGUN.plusSeconds(86_400));

    private static final BegunOperation EMPTY = begun("order-3", "", Map.of());

    @TempDir
    private Path directory;

    private static BegunOperation begun(String key, String body, Map<String, List<String>> headers) {
        return BegunOperation.of(
                key,
                BEGUN,
                "POST",
                URI.create("http://api.example/charges?a=1%202"),
                headers,
                body.getBytes(StandardCharsets.UTF_8),
                new SecretHeaders(Set.of()));
    }

    private static byte[] written() {
        ByteArrayOutputStream journal = new ByteArrayOutputStream();
        journal.writeBytes("semel-journal 1\n".getBytes(StandardCharsets.US_ASCII));
        for (BegunOperation operation : List.of(FIRST, WHOLE, EMPTY)) {
            journal.writeBytes(JournalLine.begin(operation));
        }
        journal.writeBytes(JournalLine.end(FIRST.key()));
        return journal.toByteArray();
    }

    private static byte[] released() throws IOException {
        try (InputStream in = FirstReleaseJournalTest.class.getResourceAsStream(FILE)) {
            assertThat(in).as(FILE).isNotNull();
            return in.readAllBytes();
        }
    }

    @Test
    void findsWhatTheFirstReleaseHadNotFinished() throws IOException {
        Path copy = Files.write(directory.resolve("keys.journal"), released());

        try (KeyJournal journal = KeyJournal.open(copy)) {
            assertThat(journal.unfinished())
                    .extracting(UnfinishedOperation::key)
                    .containsExactly(WHOLE.key(), EMPTY.key());
            UnfinishedOperation whole = journal.unfinished().get(0);
            assertThat(whole.method()).isEqualTo("POST");
            assertThat(whole.uri()).isEqualTo(WHOLE.uri());
            assertThat(whole.withheldHeaders()).containsExactly("Authorization", "X-Api-Key");
            HttpOperation resumed = whole.resume(Map.of("Authorization", "Bearer new", "X-Api-Key", "new"));
            assertThat(resumed.key()).isEqualTo(WHOLE.key());
            assertThat(resumed.body()).isEqualTo(WHOLE.body());
            assertThat(resumed.headers())
                    .containsEntry("Accept", List.of("application/json", "text/plain;q=0.5"))
                    .containsEntry("Stripe-Account", List.of("acct 1=2&3"));
            assertThat(journal.unfinished().get(1).resume(Map.of()).body()).isEmpty();
        }
    }

    @Test
    void writesWhatTheFirstReleaseReads() throws IOException {
        assertThat(new String(written(), StandardCharsets.UTF_8))
                .isEqualTo(new String(released(), StandardCharsets.UTF_8));
    }

    /** Writes the file down: before a release in which the format is new. */
    @Test
    @EnabledIfSystemProperty(named = "journal.written", matches = ".+")
    void write() throws IOException {
        Path file = Path.of(System.getProperty("journal.written")).resolve(FILE);
        Files.createDirectories(file.getParent());
        Files.write(file, written());
    }
}
