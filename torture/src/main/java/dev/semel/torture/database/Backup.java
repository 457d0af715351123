package dev.semel.torture.database;

import dev.semel.testservers.TempDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A copy of the files of a database that stood still while it was taken. */
public final class Backup implements AutoCloseable {

    private final List<Path> files;
    private final Path directory;

    private Backup(List<Path> files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Copies these files and directories. */
    public static Backup of(List<Path> files) throws IOException, InterruptedException {
        Backup backup = new Backup(List.copyOf(files), Files.createTempDirectory("semel-backup"));
        for (int i = 0; i < files.size(); i++) {
            copy(files.get(i), backup.copyOf(i));
        }
        return backup;
    }

    /** Puts the copies in the place of what is there. A file that the copy does not have is removed. */
    public void putBack() throws IOException, InterruptedException {
        for (int i = 0; i < files.size(); i++) {
            if (Files.exists(files.get(i))) {
                TempDirectory.delete(files.get(i));
            }
            copy(copyOf(i), files.get(i));
        }
    }

    private Path copyOf(int number) {
        return directory.resolve(Integer.toString(number));
    }

    /** With owners, modes and times. */
    private static void copy(Path from, Path to) throws IOException, InterruptedException {
        if (!Files.exists(from)) {
            return;
        }
        Process copying = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(copying.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (copying.waitFor() != 0) {
            throw new IOException("could not copy " + from + ": " + output.strip());
        }
    }

    @Override
    public void close() throws IOException {
        TempDirectory.delete(directory);
    }
}
