package dev.semel.client.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.client.JournalException;
import dev.semel.client.KeyJournal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal is the file that was opened, and no other that its name is made to stand for. */
class JournalFileTest {

    @TempDir
    private Path directory;

    @Test
    void readsTheFileThatItHasOpenedAndNotOneThatALinkHasPutInItsPlace() throws Exception {
        Path path = directory.resolve("journal");
        Path foreign = Files.writeString(directory.resolve("foreign"), "a secret of somebody else\n");
        try (JournalFile file = JournalFile.open(path)) {
            Files.delete(path);
            Files.createSymbolicLink(path, foreign);

            assertThat(file.read()).isEmpty();
        }
        assertThat(foreign).hasContent("a secret of somebody else");
    }

    @Test
    void aLinkIsNeitherOpenedNorWrittenThrough() throws Exception {
        Path foreign = Files.writeString(directory.resolve("foreign"), "");
        Path link = Files.createSymbolicLink(directory.resolve("journal"), foreign);

        assertThatThrownBy(() -> KeyJournal.open(link)).isInstanceOf(JournalException.class);
        assertThat(foreign).isEmptyFile();
    }

    @Test
    void aLinkThatWaitsForTheShorterFileIsNotWrittenThrough() throws Exception {
        Path path = directory.resolve("journal");
        Path foreign = Files.writeString(directory.resolve("foreign"), "precious");
        Files.createSymbolicLink(directory.resolve("journal.new"), foreign);
        try (JournalFile file = JournalFile.open(path)) {
            file.read();

            assertThatThrownBy(() -> file.rewrite(java.util.List.of())).isInstanceOf(java.io.IOException.class);
        }
        assertThat(foreign).hasContent("precious");
    }
}
