package dev.semel.http.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes up to a limit: in memory at first, in a temporary file without a name once they are many, or once all spools
 * together take an eighth of the heap. Used by one thread at a time.
 *
 * <p>Writing beyond the memory threshold blocks on the file system: where that must not happen, as on an event loop,
 * take one that is {@link #inMemory}.
 */
public final class Spool implements AutoCloseable {

    private static final int MEMORY = 64 << 10;

    private final long limit;
    private final long memory;
    private final SpoolMemory room;
    private @Nullable ChunkedBytes buffer = new ChunkedBytes();
    private @Nullable SpoolFile file;
    private long size;

    private Spool(long limit, long memory, SpoolMemory room) {
        this.limit = limit;
        this.memory = memory;
        this.room = room;
    }

    /** Bytes up to this limit, in a file beyond 64 KiB. */
    public static Spool of(long limit) {
        return of(limit, SpoolMemory.OF_PROCESS);
    }

    static Spool of(long limit, SpoolMemory room) {
        return new Spool(limit, MEMORY, room);
    }

    /** Bytes up to this limit, never in a file. */
    public static Spool inMemory(long limit) {
        return new Spool(limit, Long.MAX_VALUE, SpoolMemory.UNBOUNDED);
    }

    /** Takes the bytes, or takes none of them and returns {@code false} if they do not fit within the limit. */
    public boolean offer(byte[] bytes, int offset, int length) throws IOException {
        if (size + length > limit) {
            return false;
        }
        if (buffer != null && (size + length > memory || !room.tryTake(length))) {
            byte[] held = buffer.bytes();
            file = SpoolFile.create();
            file.append(held, 0, held.length);
            leaveMemory();
        }
        if (buffer != null) {
            buffer.add(bytes, offset, length);
        } else if (file != null) {
            file.append(bytes, offset, length);
        } else {
            throw new IOException("this spool is closed");
        }
        size += length;
        return true;
    }

    public boolean offer(byte[] bytes) throws IOException {
        return offer(bytes, 0, bytes.length);
    }

    public long size() {
        return size;
    }

    /** How much memory the bytes take: none when they are in a file. */
    public long memory() {
        return buffer == null ? 0 : buffer.capacity();
    }

    /** Whether taking this many more bytes blocks on the file system; of none, whether reading them back does. */
    public boolean blocks(int more) {
        return buffer == null || size + more > memory || !room.has(more);
    }

    /** Reads from the start. */
    public InputStream open() throws IOException {
        if (buffer != null) {
            return buffer.open();
        }
        if (file == null) {
            throw new IOException("this spool is closed");
        }
        return file.open();
    }

    /** Writes everything, from the start. */
    public void writeTo(OutputStream out) throws IOException {
        if (buffer != null) {
            buffer.writeTo(out);
            return;
        }
        try (InputStream in = open()) {
            in.transferTo(out);
        }
    }

    /** Everything at once, not to be changed. */
    public byte[] bytes() {
        if (buffer != null) {
            return buffer.bytes();
        }
        try (InputStream in = open()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read back the spooled file", e);
        }
    }

    private void leaveMemory() {
        buffer = null;
        room.give(size);
    }

    /** Forgets what was written. */
    public void reset() {
        close();
        buffer = new ChunkedBytes();
        size = 0;
    }

    /** Lets go of the bytes. */
    @Override
    public void close() {
        if (buffer != null) {
            leaveMemory();
        }
        SpoolFile spooled = file;
        file = null;
        if (spooled != null) {
            try {
                spooled.release();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove a spooled file", e);
            }
        }
    }
}
