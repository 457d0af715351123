package dev.semel.torture.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {

    @TempDir
    private Path directory;

    @Test
    void putsBackDirectoriesAndFilesAndRemovesWhatCameLater() throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve("table"), "old");
        Path file = directory.resolve("keys.db");
        Path log = directory.resolve("keys.db-wal");
        Files.writeString(file, "old");

        try (Backup backup = Backup.of(List.of(data, file, log))) {
            Files.writeString(data.resolve("table"), "new");
            Files.writeString(data.resolve("later"), "new");
            Files.writeString(file, "new");
            Files.writeString(log, "new");
            backup.putBack();
        }

        assertThat(data.resolve("table")).hasContent("old");
        assertThat(data.resolve("later")).doesNotExist();
        assertThat(file).hasContent("old");
        assertThat(log).doesNotExist();
    }
}
