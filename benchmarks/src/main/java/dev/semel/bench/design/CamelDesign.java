package dev.semel.bench.design;

import dev.semel.bench.server.PostgresServer;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.springframework.dao.DuplicateKeyException;

/** Apache Camel's repository of message ids. It keeps no outcome: the claim is all there is. */
public final class CamelDesign extends Design implements ContendedDesign {

    private final JdbcMessageIdRepository repository;

    public CamelDesign(PostgresServer server, int connections) {
        super("camel", server, connections, "camel_messageprocessed");
        this.repository = new JdbcMessageIdRepository(pool, "bench");
        repository.start();
    }

    @Override
    public void cycle(String key) {
        require(claim(key), key, "was not free");
        repository.confirm(key);
    }

    @Override
    public boolean claim(String key) {
        try {
            return repository.add(key);
        } catch (DuplicateKeyException e) {
            // Its select and its insert are two statements; the primary key stops the loser of a race.
            return false;
        }
    }

    @Override
    public void close() {
        repository.stop();
        super.close();
    }
}
