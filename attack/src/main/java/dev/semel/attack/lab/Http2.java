package dev.semel.attack.lab;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A connection of HTTP/2 whose frames are made by hand, so that they can say what no client would. */
public final class Http2 implements AutoCloseable {

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int CONTINUATION = 9;
    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;

    private static final int ACK = 1;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int stream = -1;

    Http2(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream()));
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        // No header table, so that the status of every answer is spelled out.
        frame(SETTINGS, 0, 0, new byte[] {0, 1, 0, 0, 0, 0});
        flush();
    }

    /** Writes a frame; {@link #flush} sends it. */
    public Http2 frame(int type, int flags, int id, byte[] payload) throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length & 0xffff);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(id);
        out.write(payload);
        return this;
    }

    public void flush() throws IOException {
        out.flush();
    }

    /** Begins a stream with these headers, names and values in turn, and gives its number. */
    public int request(int flags, String... headers) throws IOException {
        stream += 2;
        frame(HEADERS, flags | END_HEADERS, stream, block(headers));
        return stream;
    }

    /** A number for a stream that is begun by hand. */
    public int nextStream() {
        stream += 2;
        return stream;
    }

    /** Headers as literals that are neither indexed nor compressed. */
    public static byte[] block(String... headers) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < headers.length; i += 2) {
            block.write(0);
            text(block, headers[i]);
            text(block, headers[i + 1]);
        }
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            int rest = bytes.length - 127;
            while (rest >= 128) {
                block.write(rest % 128 + 128);
                rest /= 128;
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    /** The status of the next answer of any stream, or what the server did instead. */
    public Answer answer() throws IOException {
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int id = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (type == SETTINGS && (flags & ACK) == 0) {
                    frame(SETTINGS, ACK, 0, new byte[0]).flush();
                } else if (type == RST_STREAM || type == GOAWAY) {
                    return new Answer(Answer.CLOSED, type == GOAWAY ? "gone away" : "reset " + id, "");
                } else if (type == HEADERS) {
                    return new Answer(status(payload, (flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES), "", "");
                }
            }
        } catch (SocketTimeoutException e) {
            return Answer.NONE_SILENT;
        } catch (EOFException | java.net.SocketException | javax.net.ssl.SSLException e) {
            return Answer.NONE_CLOSED;
        }
    }

    /** The status is the first field: an entry of the static table, or a literal of three digits. */
    private static int status(byte[] block, int from) throws IOException {
        int at = from;
        while ((block[at] & 0xe0) == 0x20) {
            at++;
        }
        int first = block[at] & 0xff;
        int[] known = {200, 204, 206, 304, 400, 404, 500};
        if (first >= 0x88 && first <= 0x8e) {
            return known[first - 0x88];
        }
        if ((first == 0x08 || first == 0x48 || first == 0x18) && block[at + 1] == 3) {
            return Integer.parseInt(new String(block, at + 2, 3, StandardCharsets.ISO_8859_1));
        }
        throw new IOException("cannot read the status of an answer that begins with " + first);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
