package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyJournalTest {

    @TempDir
    private Path directory;

    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("keys.journal");
    }

    private static HttpOperation operation(String key) {
        return HttpOperation.post(URI.create("http://api.example/charges?a=1"))
                .key(key)
                .header("Authorization", "Bearer s3cret")
                .header("X-Api-Key", "s3cret")
                .header("Stripe-Account", "acct 1=2&3")
                .header("X-Own", "s3cret")
                .json("{\"amount\":1}")
                .build();
    }

    private static void begin(KeyJournal journal, String... keys) {
        for (String key : keys) {
            HttpOperation operation = operation(key);
            journal.begin(operation, operation.body(), Instant.now())
                    .written()
                    .toCompletableFuture()
                    .join();
        }
    }

    private static List<String> unfinished(KeyJournal journal) {
        return journal.unfinished().stream().map(UnfinishedOperation::key).toList();
    }

    @Test
    void listsWhatHadNoAnswerWhenTheProcessEnded() {
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a", "b", "key with spaces");
            journal.end("b", false);
            assertThat(unfinished(journal)).as("still being sent").isEmpty();
        }
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThat(unfinished(journal)).containsExactly("a", "key with spaces");
        }
    }

    @Test
    void hasAnOperationOnDiskBeforeItSaysSo() throws IOException {
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a");
            assertThat(Files.readString(path)).contains(" begin a ");
            journal.end("a", true).toCompletableFuture().join();
            assertThat(Files.readString(path)).contains(" end a\n");
        }
    }

    @Test
    void keepsTheWholeRequestWithoutItsSecrets() throws IOException {
        try (KeyJournal journal = KeyJournal.open(path, "X-Own")) {
            begin(journal, "a");
        }
        assertThat(Files.readString(path)).doesNotContain("s3cret");
        try (KeyJournal journal = KeyJournal.open(path)) {
            UnfinishedOperation found = journal.unfinished().get(0);
            assertThat(found.method()).isEqualTo("POST");
            assertThat(found.uri()).hasToString("http://api.example/charges?a=1");
            assertThat(found.withheldHeaders()).containsExactly("Authorization", "X-Api-Key", "X-Own");

            assertThatThrownBy(() -> found.resume(Map.of("authorization", "Bearer new", "x-api-key", "new")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Authorization, X-Api-Key, X-Own");
            HttpOperation resumed =
                    found.resume(Map.of("authorization", "Bearer new", "x-api-key", "new", "x-own", "new"));
            assertThat(resumed.key()).isEqualTo("a");
            assertThat(new String(resumed.body(), StandardCharsets.UTF_8)).isEqualTo("{\"amount\":1}");
            assertThat(resumed.headers())
                    .containsEntry("Stripe-Account", List.of("acct 1=2&3"))
                    .containsEntry("Content-Type", List.of("application/json"))
                    .containsEntry("Authorization", List.of("Bearer new"));
        }
    }

    @Test
    void isReadableByItsOwnerAlone() throws IOException {
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    @Test
    void cannotBeOpenedTwice() {
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThatThrownBy(() -> KeyJournal.open(path))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining(path + " is open already")
                    .hasMessageContaining("one process at a time");
            begin(journal, "a");
        }
        KeyJournal.open(path).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0badc0de begin b 2026-", "deadbeef end a\n"})
    void toleratesALastLineThatACrashLeftUnfinished(String tail) throws IOException {
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a");
        }
        Files.writeString(path, tail, StandardOpenOption.APPEND);

        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThat(unfinished(journal)).containsExactly("a");
            begin(journal, "c");
        }
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThat(unfinished(journal)).containsExactly("a", "c");
        }
    }

    @Test
    void toleratesACrashAtItsVeryBeginning() throws IOException {
        Files.writeString(path, "semel-jo");

        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a");
        }
        assertThat(Files.readString(path)).startsWith("semel-journal 1\n");
    }

    @Test
    void survivesAnEndAtEveryByte() throws IOException {
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a", "b");
        }
        byte[] whole = Files.readAllBytes(path);
        int secondLine = new String(whole, StandardCharsets.UTF_8).lastIndexOf('\n', whole.length - 2) + 1;
        for (int length = 0; length < whole.length; length++) {
            Files.write(path, java.util.Arrays.copyOf(whole, length));
            try (KeyJournal journal = KeyJournal.open(path)) {
                assertThat(unfinished(journal)).isEqualTo(length >= secondLine ? List.of("a") : List.of());
            }
        }
    }

    @Test
    void saysWhichLineIsDamaged() throws IOException {
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a", "b");
        }
        Files.writeString(path, Files.readString(path).replace(" begin a ", " begin x "));

        assertThatThrownBy(() -> KeyJournal.open(path))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("line 2 of the journal")
                .hasMessageContaining("1 lines follow");
        Files.writeString(path, Files.readString(path).replaceFirst(".*begin x.*\n", ""));
        KeyJournal.open(path).close();
    }

    @Test
    void isNoOtherFile() throws IOException {
        Files.writeString(path, "something else\n");

        assertThatThrownBy(() -> KeyJournal.open(path)).hasMessageContaining("is not a journal");
        assertThat(Files.readString(path)).isEqualTo("something else\n");
    }

    @Test
    void forgetsWhatIsAnsweredAndStaysSmall() throws IOException {
        byte[] body = new byte[20_000];
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "live");
            for (int i = 0; i < 300; i++) {
                HttpOperation large = HttpOperation.post(URI.create("http://api.example/"))
                        .key("k" + i)
                        .body(body)
                        .build();
                journal.begin(large, body, Instant.now())
                        .written()
                        .toCompletableFuture()
                        .join();
                journal.end("k" + i, true).toCompletableFuture().join();
            }
            assertThat(Files.size(path)).isLessThan(3_000_000);
            begin(journal, "later");
        }
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThat(unfinished(journal)).containsExactly("live", "later");
            assertThat(Files.size(path)).isLessThan(3_000);
            journal.forget("live");
        }
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertThat(unfinished(journal)).containsExactly("later");
        }
    }

    @Test
    void refusesAnotherRequestUnderAKeyThatHasNoAnswerYet() {
        try (KeyJournal journal = KeyJournal.open(path)) {
            begin(journal, "a", "a");
            HttpOperation other = HttpOperation.post(URI.create("http://api.example/charges?a=1"))
                    .key("a")
                    .body("other")
                    .build();
            assertThatThrownBy(() -> journal.begin(other, other.body(), Instant.now()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another operation needs another key");
        }
    }

    @Test
    void takesNothingAfterItIsClosed() {
        KeyJournal journal = KeyJournal.open(path);
        journal.close();
        journal.close();

        assertThatThrownBy(() -> begin(journal, "a")).hasMessageContaining("is closed");
    }
}
