package dev.semel.webflux;

import dev.semel.http.ReceiveLimits;
import dev.semel.http.spool.Spool;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Moves bodies into and out of a {@link Spool} without ever blocking an event loop on the file system. */
final class Bodies {

    private static final int CHUNK = 16 << 10;

    private Bodies() {}

    /** What happened to a body. */
    enum Filling {
        WHOLE,
        TOO_LARGE,
        TOO_SLOW
    }

    /** Takes the whole body; the rest is cancelled if it is larger than the spool's limit, or arrives too slowly. */
    static Mono<Filling> fill(Spool spool, Publisher<? extends DataBuffer> body, ReceiveLimits receiving) {
        return Mono.defer(() -> {
            long began = System.nanoTime();
            return Flux.from(body)
                    .concatMap(buffer -> offer(spool, buffer))
                    .map(fits -> {
                        if (!fits) {
                            return Filling.TOO_LARGE;
                        }
                        return receiving.isTooSlow(spool.size(), Duration.ofNanos(System.nanoTime() - began))
                                ? Filling.TOO_SLOW
                                : Filling.WHOLE;
                    })
                    .takeUntil(filling -> filling != Filling.WHOLE)
                    .last(Filling.WHOLE)
                    .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        });
    }

    private static Mono<Boolean> offer(Spool spool, DataBuffer buffer) {
        byte[] bytes = take(buffer);
        return onFittingThread(spool.blocks(bytes.length), () -> spool.offer(bytes));
    }

    /** What is in the buffer, which is released. */
    static byte[] take(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    static Flux<DataBuffer> read(Spool spool, DataBufferFactory buffers) {
        return spool.blocks(0)
                ? DataBufferUtils.readInputStream(spool::open, buffers, CHUNK).subscribeOn(Schedulers.boundedElastic())
                : Flux.defer(() -> {
                    byte[] bytes = spool.bytes();
                    return bytes.length == 0 ? Flux.empty() : Flux.just(buffers.wrap(bytes));
                });
    }

    /** Runs the work where it is, or on a thread that may block. */
    static <T> Mono<T> onFittingThread(boolean blocks, Callable<T> work) {
        Mono<T> mono = Mono.fromCallable(work);
        return blocks ? mono.subscribeOn(Schedulers.boundedElastic()) : mono;
    }

    static void close(Spool spool) {
        if (spool.blocks(0)) {
            Schedulers.boundedElastic().schedule(spool::close);
        } else {
            spool.close();
        }
    }
}
