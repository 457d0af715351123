package dev.semel.gateway.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a SQLite database: stored responses are in them, so only their owner may read them, whatever the umask. */
public final class DatabaseFile {

    private static final Logger log = LoggerFactory.getLogger(DatabaseFile.class);
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private DatabaseFile() {}

    /**
     * Creates the file of a database that does not exist yet, and takes an existing one away from everybody but its owner.
     * SQLite gives its log and its index ({@code -wal}, {@code -shm}) the modes of the database.
     *
     * @param location the part of its URL after {@code jdbc:sqlite:}
     */
    public static void protect(String location) {
        Path database = of(location).orElse(null);
        if (database == null) {
            return;
        }
        Path directory = database.toAbsolutePath().getParent();
        if (directory == null
                || !Files.isDirectory(directory)
                || Files.getFileAttributeView(directory, PosixFileAttributeView.class) == null) {
            // SQLite reports a missing directory, and without POSIX there are no such modes.
            return;
        }
        try {
            if (!Files.exists(database)) {
                // Not createFile: a link to a file that is to be created is followed, as SQLite does.
                Files.newByteChannel(
                                database,
                                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                                PosixFilePermissions.asFileAttribute(OWNER))
                        .close();
            }
        } catch (IOException e) {
            log.warn("cannot create {} for its owner alone: {}", database, e.toString());
            return;
        }
        for (String part : List.of("", "-wal", "-shm", "-journal")) {
            narrow(database.resolveSibling(database.getFileName() + part));
        }
    }

    /**
     * The path of the database; empty if it is in memory.
     *
     * @param location the part of its URL after {@code jdbc:sqlite:}
     */
    public static Optional<Path> of(String location) {
        int query = location.indexOf('?');
        String name = query < 0 ? location : location.substring(0, query);
        return name.isEmpty() || name.startsWith(":") || location.contains("mode=memory")
                ? Optional.empty()
                : Optional.of(Path.of(name.startsWith("file:") ? name.replaceFirst("^file:(//)?", "") : name));
    }

    private static void narrow(Path file) {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (!Files.exists(file)) {
            return;
        }
        try {
            Set<PosixFilePermission> modes = view.readAttributes().permissions();
            if (OWNER.containsAll(modes)) {
                return;
            }
            String shown = PosixFilePermissions.toString(modes);
            try {
                view.setPermissions(OWNER);
                log.info("{} was {}, now only its owner can read it: it holds stored responses", file, shown);
            } catch (IOException notOurs) {
                log.warn("others can read {} ({}), which holds stored responses: {}", file, shown, notOurs.toString());
            }
        } catch (IOException e) {
            log.warn("the modes of {} cannot be read: {}", file, e.toString());
        }
    }
}
