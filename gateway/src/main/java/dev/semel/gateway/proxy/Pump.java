package dev.semel.gateway.proxy;

import dev.semel.gateway.framing.DeclaredLength;
import dev.semel.gateway.framing.FramingException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Moves bytes from one stream to another, no faster than the other takes them. The end is left to the caller. */
final class Pump {

    private static final int PIECE = 64 << 10;

    private Pump() {}

    /** Completes when the source has ended, and fails when it breaks; {@code moved} receives every chunk. */
    static Future<Buffer> move(ReadStream<Buffer> from, WriteStream<Buffer> to, Runnable moved) {
        return move(from, to, DeclaredLength.any(), moved);
    }

    /**
     * Fails also when there are more or fewer bytes than were declared. Completes with what is left to write: the last chunk,
     * if it shows that it is the last, which can leave together with the end, else nothing.
     */
    static Future<Buffer> move(ReadStream<Buffer> from, WriteStream<Buffer> to, DeclaredLength length, Runnable moved) {
        return move(from, to, length, moved, chunk -> {});
    }

    /** Shows each chunk to {@code seen} before it is written. */
    static Future<Buffer> move(
            ReadStream<Buffer> from,
            WriteStream<Buffer> to,
            DeclaredLength length,
            Runnable moved,
            Consumer<Buffer> seen) {
        Promise<Buffer> done = Promise.promise();
        from.exceptionHandler(done::tryFail);
        from.endHandler(ended -> {
            try {
                length.end();
                done.tryComplete(Buffer.buffer());
            } catch (FramingException e) {
                done.tryFail(e);
            }
        });
        from.handler(chunk -> {
            if (done.future().failed()) {
                return;
            }
            moved.run();
            seen.accept(chunk);
            try {
                length.add(chunk.length());
            } catch (FramingException e) {
                done.tryFail(e);
                return;
            }
            if (length.endsMessage()) {
                done.tryComplete(chunk);
                return;
            }
            to.write(chunk);
            if (to.writeQueueFull()) {
                from.pause();
                to.drainHandler(drained -> {
                    moved.run();
                    from.resume();
                });
            }
        });
        from.resume();
        return done.future();
    }

    /**
     * Writes bytes that are in memory, a piece after the other: the next one is copied when the last one has left.
     * Completes when all are written, and never does if they are not read.
     */
    static Future<Void> write(InputStream from, WriteStream<Buffer> to, Runnable moved) {
        Promise<Void> done = Promise.promise();
        writeNext(from, to, moved, done);
        return done.future();
    }

    private static void writeNext(InputStream from, WriteStream<Buffer> to, Runnable moved, Promise<Void> done) {
        moved.run();
        try {
            while (from.available() > 0) {
                if (to.writeQueueFull()) {
                    to.drainHandler(drained -> writeNext(from, to, moved, done));
                    return;
                }
                to.write(Buffer.buffer(from.readNBytes(PIECE)));
            }
            done.tryComplete();
        } catch (IOException e) {
            done.tryFail(e);
        }
    }
}
