package dev.semel.bench.design;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.server.PostgresServer;
import java.sql.SQLException;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;

/** Apache Camel's repository of message ids. It keeps no outcome: the claim is all there is. */
public final class CamelDesign implements ContendedDesign {

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final JdbcMessageIdRepository repository;

    public CamelDesign(PostgresServer server, int connections) {
        this.server = server;
        this.pool = server.pool(connections);
        this.repository = new JdbcMessageIdRepository(pool, "bench");
        repository.start();
    }

    @Override
    public String name() {
        return "camel";
    }

    @Override
    public void clear() throws SQLException {
        server.execute("TRUNCATE camel_messageprocessed");
    }

    @Override
    public void cycle(String key) {
        if (!claim(key)) {
            throw new IllegalStateException("key " + key + " was not free");
        }
        repository.confirm(key);
    }

    @Override
    public boolean claim(String key) {
        try {
            return repository.add(key);
        } catch (org.springframework.dao.DuplicateKeyException e) {
            // Its look and its insert are two statements; the loser of a race is told by the primary key.
            return false;
        }
    }

    @Override
    public void verify(long cycles) throws SQLException {
        Verification.requireEqual(name(), cycles, server.number("SELECT count(*) FROM camel_messageprocessed"));
    }

    @Override
    public long bytes() {
        return -1;
    }

    @Override
    public void close() {
        repository.stop();
        pool.close();
    }
}
