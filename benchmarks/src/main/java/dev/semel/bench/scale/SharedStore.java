package dev.semel.bench.scale;

import java.util.List;

/** The servers of a store that all gateways share, and how much work they have done so far. */
interface SharedStore extends AutoCloseable {

    /** What the names of its numbers begin with. */
    String name();

    /** Where a gateway finds it. */
    String url();

    /** What a reader of the results has to know of the servers. */
    String description() throws Exception;

    /** Makes the next measurement as much like the one before as the engine allows. */
    void reset();

    /** All servers' processes, those that write first. */
    List<ProcessHandle> processes();

    /** Those of them that accept writes. */
    List<ProcessHandle> primaries();

    /** Calls that wrote something: commits of PostgreSQL, function calls of Redis. */
    long roundTrips();

    /** The log that makes writes durable, in bytes. */
    long logBytes();

    /** What the keys take up where they are kept: on the disk, or in the memory of the primaries. */
    long dataBytes();

    /** The part of {@link #dataBytes} that is an index, which random keys want in memory. */
    long indexBytes();

    long keys();

    /** Connections to the servers that accept writes, without those of the bench itself. */
    long connections();

    @Override
    void close();
}
