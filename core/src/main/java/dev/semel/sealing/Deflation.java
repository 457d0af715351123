package dev.semel.sealing;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Compression with the deflate implementation of the JDK. */
final class Deflation {

    /** Shorter content gains nothing. */
    private static final int WORTH_TRYING = 128;

    /** Creating a deflater costs more than compressing a response of some kilobytes. */
    private static final BlockingQueue<Deflater> UNUSED =
            new ArrayBlockingQueue<>(2 * Runtime.getRuntime().availableProcessors());

    private Deflation() {}

    /** The compressed content, or {@code null} if compression saves almost nothing. */
    static byte @Nullable [] deflate(byte[] plain) {
        if (plain.length < WORTH_TRYING) {
            return null;
        }
        Deflater unused = UNUSED.poll();
        Deflater deflater = unused == null ? new Deflater(Deflater.BEST_SPEED, true) : unused;
        try {
            deflater.setInput(plain);
            deflater.finish();
            byte[] room = new byte[plain.length - plain.length / 16];
            int length = deflater.deflate(room);
            return deflater.finished() ? Arrays.copyOf(room, length) : null;
        } finally {
            deflater.reset();
            if (!UNUSED.offer(deflater)) {
                deflater.end();
            }
        }
    }

    static byte[] inflate(byte[] deflated, int length) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(deflated);
            byte[] plain = new byte[length];
            int filled = 0;
            while (filled < length) {
                int more = inflater.inflate(plain, filled, length - filled);
                if (more == 0) {
                    throw new IllegalArgumentException("compressed bytes end too early");
                }
                filled += more;
            }
            return plain;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("compressed bytes were changed", e);
        } finally {
            inflater.end();
        }
    }
}
