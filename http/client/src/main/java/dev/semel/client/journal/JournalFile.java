package dev.semel.client.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The file under a journal: locked, appended to, and now and then replaced by a shorter one. One thread at a time. */
public final class JournalFile implements AutoCloseable {

    private final Path path;
    private final JournalLock lock;
    private FileChannel channel;

    private JournalFile(Path path, JournalLock lock, FileChannel channel) {
        this.path = path;
        this.lock = lock;
        this.channel = channel;
    }

    public static JournalFile open(Path path) throws IOException {
        // Beside the journal, because the journal itself is replaced by renaming.
        JournalLock lock = JournalLock.acquire(path, path.resolveSibling(path.getFileName() + ".lock"));
        try {
            return new JournalFile(
                    path,
                    lock,
                    channel(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Only the owner may read bodies. */
    static FileChannel channel(Path path, StandardOpenOption... options) throws IOException {
        FileAttribute<?>[] attributes = isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[] {};
        Set<OpenOption> all = new HashSet<>(Set.of(options));
        // Two names of one journal would have two locks.
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(path, all, attributes);
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Reads all lines, and cuts off a last one that a crash left unfinished. */
    public List<JournalLine> read() throws IOException {
        String text = new String(bytes(), StandardCharsets.UTF_8);
        int complete = text.lastIndexOf('\n') + 1;
        List<JournalLine> lines = new ArrayList<>();
        if (complete == 0) {
            // Not even the first line was finished, so nothing was ever sent.
            channel.truncate(0);
            append(List.of((JournalLine.FIRST + '\n').getBytes(StandardCharsets.UTF_8)), true);
            return lines;
        }
        String[] texts = text.substring(0, complete).split("\n");
        if (!texts[0].equals(JournalLine.FIRST)) {
            throw new UnusableJournalException(
                    path + " is not a journal: its first line should be \"" + JournalLine.FIRST + "\"");
        }
        int good = texts[0].length() + 1;
        for (int i = 1; i < texts.length; i++) {
            JournalLine line = JournalLine.parse(texts[i]);
            if (line == null && i < texts.length - 1) {
                throw new UnusableJournalException(
                        "line " + (i + 1) + " of the journal " + path + " is damaged, and " + (texts.length - 1 - i)
                                + " lines follow it. An operation that it names may have been sent: look at the line,"
                                + " find out what happened to it, and remove the line to open the journal");
            }
            if (line != null) {
                lines.add(line);
                good += texts[i].length() + 1;
            }
        }
        channel.truncate(good);
        channel.position(good);
        return lines;
    }

    /** Reads the opened file, even if its name now refers to another one. */
    private byte[] bytes() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
            continue;
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    public void append(List<byte[]> lines, boolean force) throws IOException {
        write(channel, lines);
        if (force) {
            channel.force(false);
        }
    }

    private static void write(FileChannel channel, Collection<byte[]> lines) throws IOException {
        int size = lines.stream().mapToInt(line -> line.length).sum();
        ByteBuffer buffer = ByteBuffer.allocate(size);
        lines.forEach(buffer::put);
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    public long size() throws IOException {
        return channel.size();
    }

    /** Replaces the file by one with these lines alone. */
    public void rewrite(Collection<byte[]> lines) throws IOException {
        Path shorter = path.resolveSibling(path.getFileName() + ".new");
        FileChannel replacement = channel(
                shorter,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            write(replacement, List.of((JournalLine.FIRST + '\n').getBytes(StandardCharsets.UTF_8)));
            write(replacement, lines);
            replacement.force(true);
            Files.move(shorter, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            replacement.close();
            throw e;
        }
        channel.close();
        channel = replacement;
        syncDirectory();
    }

    /** Syncs the directory, so that a power failure does not undo the renaming or the creation of the file. */
    public void syncDirectory() throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        // Elsewhere, a directory cannot be opened, and needs not be.
        if (directory == null || !isPosix(path)) {
            return;
        }
        try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            channel.close();
        }
    }
}
