package dev.semel.bench.scale;

import dev.semel.bench.server.PostgresServer;
import java.util.List;
import java.util.stream.Stream;

/** One PostgreSQL for all gateways. */
record SharedPostgres(PostgresServer server, ProcessHandle main) implements SharedStore {

    private static final String TABLE = "semel_key";

    static SharedPostgres start() throws Exception {
        PostgresServer server = PostgresServer.startForShortTurns();
        long pid = server.number("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::bigint");
        return new SharedPostgres(server, ProcessHandle.of(pid).orElseThrow());
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public String description() throws Exception {
        return server.description();
    }

    @Override
    public void reset() {
        server.execute("TRUNCATE " + TABLE, "CHECKPOINT");
    }

    @Override
    public List<ProcessHandle> processes() {
        return Stream.concat(Stream.of(main), main.descendants()).toList();
    }

    @Override
    public List<ProcessHandle> primaries() {
        return processes();
    }

    /** Every commit that wrote something has taken a number. */
    @Override
    public long roundTrips() {
        return server.number("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    @Override
    public long logBytes() {
        return server.walBytes();
    }

    @Override
    public long dataBytes() {
        return server.number("SELECT pg_total_relation_size('" + TABLE + "')");
    }

    @Override
    public long indexBytes() {
        return server.number("SELECT pg_indexes_size('" + TABLE + "')");
    }

    @Override
    public long keys() {
        return server.number("SELECT count(*) FROM " + TABLE);
    }

    @Override
    public long connections() {
        return server.number("SELECT count(*) FROM pg_stat_activity"
                + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
    }

    @Override
    public void close() {
        server.close();
    }
}
