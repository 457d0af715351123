package dev.semel.client.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.client.JournalException;
import dev.semel.client.KeyJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal belongs to one process, whatever was tried in it. */
class JournalLockTest {

    @TempDir
    private Path directory;

    /** Tries to open a journal, and says so with its exit status. */
    static final class OtherProcess {

        private OtherProcess() {}

        public static void main(String[] args) {
            try (KeyJournal journal = KeyJournal.open(Path.of(args[0]))) {
                System.exit(journal.unfinished().size());
            } catch (JournalException inUse) {
                System.exit(99);
            }
        }
    }

    private static boolean otherProcessOpens(Path path) throws IOException, InterruptedException {
        int exit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        path.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(exit).isIn(0, 99);
        return exit == 0;
    }

    private static void assertRefused(Path path) {
        assertThatThrownBy(() -> KeyJournal.open(path)).isInstanceOf(JournalException.class);
    }

    @Test
    void aRefusedSecondOpenDoesNotGiveTheJournalToAnotherProcess() throws Exception {
        Path path = directory.resolve("keys.journal");
        KeyJournal journal = KeyJournal.open(path);
        try {
            assertRefused(path);
            assertThat(otherProcessOpens(path)).isFalse();
        } finally {
            journal.close();
        }
        assertThat(otherProcessOpens(path)).isTrue();
    }

    @Test
    void anotherNameOfItsDirectoryDoesNotGiveTheJournalAway() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path alias = Files.createSymbolicLink(directory.resolve("alias"), home);
        try (KeyJournal journal = KeyJournal.open(home.resolve("j"))) {
            assertRefused(alias.resolve("j"));
            assertThat(otherProcessOpens(home.resolve("j"))).isFalse();
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    @Test
    void isNotOpenedThroughALinkWhichWouldHaveALockOfItsOwn() throws Exception {
        Path path = directory.resolve("j");
        Path link = Files.createSymbolicLink(directory.resolve("link"), path);
        try (KeyJournal journal = KeyJournal.open(path)) {
            assertRefused(link);
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    @Test
    void aThreadThatWasInterruptedGivesTheJournalBack() {
        Path path = directory.resolve("j");
        KeyJournal journal = KeyJournal.open(path);
        Thread.currentThread().interrupt();
        journal.close();
        assertThat(Thread.interrupted()).isTrue();
        KeyJournal.open(path).close();
    }
}
