package dev.semel.bench.design;

import dev.semel.bench.measure.Payload;

/** One way to make an operation happen once, as the benchmark drives it. */
public interface Design extends AutoCloseable {

    String name();

    /** Removes all keys. */
    void clear() throws Exception;

    /** Claims the key, and settles it with {@link Payload#of}; fails if the key was not free. */
    void cycle(String key) throws Exception;

    /** Fails unless exactly this many keys are stored, each settled with its payload. */
    void verify(long cycles) throws Exception;

    /** How many bytes the keys take up on the disk, or -1 if the design keeps less than the others. */
    long bytes() throws Exception;

    @Override
    void close();
}
