package dev.semel.attack.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Reads messages of HTTP/1 from a stream, as plainly as a simple service would. */
final class MessageReader {

    private static final int MAX_HEAD = 1 << 20;
    private static final int HEX = 16;
    private static final int BLOCK = 64 << 10;

    private MessageReader() {}

    /** Everything up to and including the empty line; empty if the stream ends before. */
    static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < MAX_HEAD) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
            if (next == '\n' && (endsWith(head, "\r\n\r\n") || endsWith(head, "\n\n"))) {
                return head.toString();
            }
        }
        throw new IOException("a head of more than " + MAX_HEAD + " bytes");
    }

    private static boolean endsWith(StringBuilder text, String end) {
        return text.length() >= end.length() && text.indexOf(end, text.length() - end.length()) >= 0;
    }

    /** Reads a chunked body with its trailer, and gives its length. */
    static long readChunks(InputStream in, OutputStream body) throws IOException {
        long total = 0;
        while (true) {
            String line = line(in);
            int semicolon = line.indexOf(';');
            long size;
            try {
                size = Long.parseLong((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), HEX);
            } catch (NumberFormatException e) {
                throw new IOException("not the size of a chunk: " + line, e);
            }
            if (size <= 0) {
                skipTrailer(in);
                return total;
            }
            copy(in, size, body);
            total += size;
            line(in);
        }
    }

    private static void skipTrailer(InputStream in) throws IOException {
        String line = line(in);
        while (!line.isEmpty()) {
            line = line(in);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next >= 0 && next != '\n' && line.length() < MAX_HEAD) {
            line.append((char) next);
            next = in.read();
        }
        return line.toString().stripTrailing();
    }

    /** Moves so many bytes, or as many as there are. */
    static void copy(InputStream in, long bytes, OutputStream to) throws IOException {
        byte[] block = new byte[BLOCK];
        long left = bytes;
        while (left > 0) {
            int read = in.read(block, 0, (int) Math.min(left, block.length));
            if (read < 0) {
                return;
            }
            to.write(block, 0, read);
            left -= read;
        }
    }
}
