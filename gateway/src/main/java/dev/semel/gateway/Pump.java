package dev.semel.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/** Moves bytes from one stream to another, no faster than the other takes them. The end is left to the caller. */
final class Pump {

    private Pump() {}

    /** Completes when the source has ended, and fails when it breaks; {@code moved} is told of every chunk. */
    static Future<Void> move(ReadStream<Buffer> from, WriteStream<Buffer> to, Runnable moved) {
        Promise<Void> done = Promise.promise();
        from.exceptionHandler(done::tryFail);
        from.endHandler(ended -> done.tryComplete());
        from.handler(chunk -> {
            moved.run();
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
}
