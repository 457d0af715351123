package dev.semel.bench.design;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import java.sql.SQLException;

/** One way to make an operation happen once, on tables of PostgreSQL, as the benchmark drives it. */
public abstract class Design implements AutoCloseable {

    final PostgresServer server;
    final HikariDataSource pool;
    private final String name;
    private final String table;

    /** @param table where the keys are */
    Design(String name, PostgresServer server, int connections, String table) {
        this.name = name;
        this.server = server;
        this.pool = server.pool(connections);
        this.table = table;
    }

    public final String name() {
        return name;
    }

    /** Removes all keys. */
    public void clear() throws SQLException {
        server.execute("TRUNCATE " + table + " CASCADE");
    }

    /** Claims the key, and settles it with {@link Payload#of}; fails if the key was not free. */
    public abstract void cycle(String key) throws Exception;

    /** Fails unless exactly this many keys are stored, each settled with its payload. */
    public final void verify(long cycles) {
        Verification.requireEqual(name, cycles, server.number("SELECT count(*) FROM " + table + " WHERE " + settled()));
    }

    /** The condition under which a row of the table is a key that is settled as it should be. */
    String settled() {
        return "true";
    }

    /** How many bytes the keys take up on the disk, or -1 if the design keeps less than the others. */
    public long bytes() {
        return -1;
    }

    final long tableBytes() {
        return server.number("SELECT pg_total_relation_size('" + table + "')");
    }

    static void require(boolean expected, String key, String what) {
        if (!expected) {
            throw new IllegalStateException("key " + key + " " + what);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
