package dev.semel.http.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Bytes in memory, in pieces: when they become more, nothing is copied, and no large array is needed. */
final class ChunkedBytes {

    private static final int SMALLEST = 512;
    private static final int LARGEST = 64 << 10;
    private static final byte[] NONE = new byte[0];

    private final List<byte[]> pieces = new ArrayList<>(1);
    private byte[] last = NONE;
    private int room;
    private long size;
    private long capacity;

    void add(byte[] bytes, int offset, int length) {
        int from = offset;
        int left = length;
        while (left > 0) {
            if (room == 0) {
                last = new byte[(int) Math.min(LARGEST, Math.max(left, next()))];
                pieces.add(last);
                room = last.length;
                capacity += room;
            }
            int fits = Math.min(left, room);
            System.arraycopy(bytes, from, last, last.length - room, fits);
            from += fits;
            left -= fits;
            room -= fits;
            size += fits;
        }
    }

    /** The first is as large as what there is, which is all of most bodies; then a quarter may remain unused. */
    private long next() {
        return size == 0 ? 0 : Math.max(SMALLEST, size / 4);
    }

    /** How much memory they take. */
    long capacity() {
        return capacity;
    }

    /** All of them, not to be changed: a single piece that is full is not copied, since nothing is written to it any more. */
    byte[] bytes() {
        if (size == last.length) {
            return last;
        }
        byte[] all = new byte[Math.toIntExact(size)];
        int filled = 0;
        for (byte[] piece : pieces) {
            int length = Math.min(piece.length, all.length - filled);
            System.arraycopy(piece, 0, all, filled, length);
            filled += length;
        }
        return all;
    }

    void writeTo(OutputStream out) throws IOException {
        long left = size;
        for (byte[] piece : pieces) {
            int length = (int) Math.min(piece.length, left);
            out.write(piece, 0, length);
            left -= length;
        }
    }

    /** Reads what there is now. */
    InputStream open() {
        return new Reader(List.copyOf(pieces), size);
    }

    private static final class Reader extends InputStream {

        private final List<byte[]> pieces;
        private long left;
        private int index;
        private int position;

        private Reader(List<byte[]> pieces, long size) {
            this.pieces = pieces;
            this.left = size;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            byte[] piece = pieces.get(index);
            int count = (int) Math.min(Math.min(length, piece.length - position), left);
            System.arraycopy(piece, position, bytes, offset, count);
            left -= count;
            position += count;
            if (position == piece.length) {
                index++;
                position = 0;
            }
            return count;
        }

        /** As large as what is left, where the usual way takes a buffer of 8 KiB for every small body. */
        @Override
        public byte[] readNBytes(int length) {
            if (length < 0) {
                throw new IllegalArgumentException("the number of bytes to read must not be negative, got " + length);
            }
            byte[] taken = new byte[(int) Math.min(length, left)];
            for (int filled = 0; filled < taken.length; ) {
                filled += read(taken, filled, taken.length - filled);
            }
            return taken;
        }

        @Override
        public byte[] readAllBytes() {
            return readNBytes(Integer.MAX_VALUE);
        }

        @Override
        public int available() {
            return (int) Math.min(left, Integer.MAX_VALUE);
        }
    }
}
