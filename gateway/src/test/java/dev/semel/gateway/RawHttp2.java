package dev.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection of HTTP/2 whose frames are made by hand, so that they can say what no client would. */
public final class RawHttp2 implements AutoCloseable {

    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int GOAWAY = 7;
    private static final byte CANCEL = 8;
    private static final int END_STREAM_AND_HEADERS = 5;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;

    private final SSLSocket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    private int stream = -1;

    public RawHttp2(SSLContext trust, int port) throws IOException {
        socket = (SSLSocket) trust.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(4, 0, 0, new byte[0]);
    }

    private void frame(int type, int flags, int id, byte[] payload) throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length & 0xffff);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(id);
        out.write(payload);
        out.flush();
    }

    /** Sends a request without a body. Headers are names and values in turn, written as they are. */
    public void send(String... headers) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < headers.length; i += 2) {
            // A literal that is not indexed, with a new name; all lengths here are below 127.
            block.write(0);
            write(block, headers[i]);
            write(block, headers[i + 1]);
        }
        stream += 2;
        frame(HEADERS, END_STREAM_AND_HEADERS, stream, block.toByteArray());
    }

    /** Gives the last request up. */
    public void reset() throws IOException {
        frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, CANCEL});
    }

    private static void write(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        block.write(bytes.length);
        block.writeBytes(bytes);
    }

    /** The status of the next answer, or what the server did instead. */
    public String answer() throws IOException {
        while (true) {
            int first = in.read();
            if (first < 0) {
                return "closed";
            }
            int length = first << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int id = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == HEADERS) {
                int block = (flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES;
                try {
                    return String.valueOf(
                            decoder.decodeHeaders(id, Unpooled.wrappedBuffer(payload, block, length - block))
                                    .status());
                } catch (Http2Exception e) {
                    throw new IOException(e);
                }
            }
            if (type == RST_STREAM) {
                return "reset";
            }
            if (type == GOAWAY) {
                return "gone away";
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
