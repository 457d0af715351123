package dev.semel.client.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock that gives a journal to one process at a time, and to one user in it. The operating system drops a process's
 * lock when the process closes any channel of the file, so a file that is locked here is not opened a second time.
 */
record JournalLock(Object file, FileChannel channel) implements AutoCloseable {

    /** The files that are locked by this class. */
    private static final Set<Object> LOCKED = new HashSet<>();

    /** Open channels of files that another class loader has locked: to close one would drop its lock. */
    private static final Map<Object, FileChannel> LOCKED_ELSEWHERE = new HashMap<>();

    static JournalLock acquire(Path journal, Path path) throws IOException {
        synchronized (LOCKED) {
            Object file = identity(path);
            if (!LOCKED.contains(file)) {
                FileChannel channel = tryLock(path, file);
                if (channel != null) {
                    LOCKED.add(file);
                    return new JournalLock(file, channel);
                }
            }
        }
        throw new UnusableJournalException(
                "the journal " + journal + " is open already, in this process or another: a journal belongs to"
                        + " one process at a time. Give each process a file of its own, or close it first");
    }

    /** An identity that is the same for all names of a file, without opening the file. */
    private static Object identity(Path path) throws IOException {
        try {
            JournalFile.channel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                    .close();
        } catch (FileAlreadyExistsException usual) {
            // It stays when a journal is closed.
        }
        Object key = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
        return key != null ? key : path.toRealPath();
    }

    private static @Nullable FileChannel tryLock(Path path, Object file) throws IOException {
        FileChannel known = LOCKED_ELSEWHERE.remove(file);
        FileChannel channel = known != null ? known : JournalFile.channel(path, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException inThisProcess) {
            LOCKED_ELSEWHERE.put(file, channel);
            return null;
        }
        channel.close();
        return null;
    }

    @Override
    public void close() throws IOException {
        synchronized (LOCKED) {
            LOCKED.remove(file);
            channel.close();
        }
    }
}
