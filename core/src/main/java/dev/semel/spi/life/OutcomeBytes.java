package dev.semel.spi.life;

import dev.semel.Header;
import dev.semel.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome as bytes, for stores that keep it in one piece: a version, the head (result, format, status, content type,
 * headers), and the payload up to the end.
 */
public final class OutcomeBytes {

    private static final int VERSION = 1;

    private OutcomeBytes() {}

    public static byte[] encode(Outcome outcome) {
        byte[] payload = outcome.payload();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + (payload == null ? 0 : payload.length));
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeBoolean(outcome.isSuccess());
            out.writeShort(outcome.format());
            out.writeShort(outcome.status());
            writeText(out, outcome.contentType());
            out.writeInt(outcome.headers().size());
            for (Header header : outcome.headers()) {
                writeText(out, header.name());
                writeText(out, header.value());
            }
            out.writeBoolean(payload != null);
            if (payload != null) {
                out.write(payload);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** Reads the form that {@link #encode} returns. */
    public static Outcome decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int version = in.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("a stored outcome of version " + version
                    + " was written by a newer release; this one reads version " + VERSION);
        }
        Outcome.Builder outcome = in.get() == 1 ? Outcome.succeeded() : Outcome.failed();
        outcome.format(in.getShort()).status(in.getShort()).contentType(readText(in));
        int count = in.getInt();
        List<Header> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            headers.add(new Header(readName(in), readName(in)));
        }
        outcome.headers(headers);
        byte[] payload = in.get() == 1 ? new byte[in.remaining()] : null;
        if (payload != null) {
            in.get(payload);
        }
        return outcome.payload(payload).build();
    }

    private static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(-1);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static @Nullable String readText(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        byte[] utf8 = new byte[length];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static String readName(ByteBuffer in) {
        String text = readText(in);
        if (text == null) {
            throw new IllegalArgumentException("a stored outcome has a header without a name or a value");
        }
        return text;
    }
}
