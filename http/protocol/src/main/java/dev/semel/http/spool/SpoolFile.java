package dev.semel.http.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A temporary file without a name: it is removed from its directory before anything is written to it, so that a process
 * that is killed leaves nothing behind. Windows keeps the name of an open file; there it is removed at the end.
 */
final class SpoolFile {

    private final RandomAccessFile file;
    private final @Nullable Path named;
    private int users = 1;

    private SpoolFile(RandomAccessFile file, @Nullable Path named) {
        this.file = file;
        this.named = named;
    }

    static SpoolFile create() throws IOException {
        Path path = Files.createTempFile("semel-", ".spool");
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        try {
            Files.delete(path);
            return new SpoolFile(file, null);
        } catch (FileSystemException inUse) {
            return new SpoolFile(file, path);
        }
    }

    synchronized void append(byte[] bytes, int offset, int length) throws IOException {
        file.seek(file.length());
        file.write(bytes, offset, length);
    }

    /** Reads from the start. The bytes stay until the last reader is closed. */
    synchronized InputStream open() {
        users++;
        return new Reader();
    }

    private synchronized int read(long position, byte[] bytes, int offset, int length) throws IOException {
        file.seek(position);
        return file.read(bytes, offset, length);
    }

    private synchronized long length() throws IOException {
        return file.length();
    }

    synchronized void release() throws IOException {
        users--;
        if (users == 0) {
            file.close();
            if (named != null) {
                Files.deleteIfExists(named);
            }
        }
    }

    private final class Reader extends InputStream {

        private long position;
        private boolean closed;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (closed) {
                throw new IOException("this stream is closed");
            }
            int read = SpoolFile.this.read(position, bytes, offset, length);
            position += Math.max(0, read);
            return read;
        }

        @Override
        public int available() throws IOException {
            return closed ? 0 : (int) Math.min(Integer.MAX_VALUE, SpoolFile.this.length() - position);
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                release();
            }
        }
    }
}
