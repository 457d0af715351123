package dev.semel.rest.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds a response back until its outcome is stored. A response that becomes too large to keep goes to the client from
 * then on. A client that has left does not stop the writer.
 */
public final class CapturedOutput extends OutputStream {

    private final OutputStream client;
    private final int limit;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean streaming;
    private @Nullable IOException departure;

    public CapturedOutput(OutputStream client, int limit) {
        this.client = client;
        this.limit = limit;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (!streaming && held.size() + (long) length <= limit) {
            held.write(bytes, offset, length);
            return;
        }
        if (!streaming) {
            streaming = true;
            send(() -> held.writeTo(client));
            held.reset();
        }
        send(() -> client.write(bytes, offset, length));
    }

    @Override
    public void flush() {
        if (streaming) {
            send(client::flush);
        }
    }

    /** The framework closes the client's stream. */
    @Override
    public void close() {
        flush();
    }

    public boolean isStreaming() {
        return streaming;
    }

    /** All of it; {@code null} if it was too large to keep. */
    public byte @Nullable [] bytes() {
        return streaming ? null : held.toByteArray();
    }

    /** Says so if the client has left. */
    public void finish() throws IOException {
        if (departure != null) {
            throw departure;
        }
    }

    private void send(Sending sending) {
        if (departure == null) {
            try {
                sending.run();
            } catch (IOException e) {
                departure = e;
            }
        }
    }

    private interface Sending {
        void run() throws IOException;
    }
}
