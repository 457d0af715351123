package dev.semel.torture.database;

import java.nio.file.Path;
import java.util.List;

/** A database on one server, or in a file, that can be put back to an older state. */
public interface RestorableDatabase extends Database {

    /** What a backup consists of: directories, and files that may be missing. */
    List<Path> files();

    /** Whether nodes open these files themselves, and have to be stopped before the files are replaced. */
    default boolean isOpenedByNodes() {
        return false;
    }

    /** Kills the server. Nothing is left that could take over from it. */
    void shutDown() throws Exception;

    /** Starts the server with the files that are there. */
    void startUp() throws Exception;
}
