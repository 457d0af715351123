package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.node.Business;
import dev.semel.torture.node.Reply;
import dev.semel.torture.node.Request;
import dev.semel.torture.node.SystemUnderTest;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.springframework.dao.DuplicateKeyException;

/**
 * Apache Camel's repository of message ids, used as its idempotent consumer does: add, run, confirm, and remove when the
 * run fails. It keeps no outcome.
 */
final class CamelRepository implements SystemUnderTest {

    private final Business business;
    private final JdbcMessageIdRepository repository;

    CamelRepository(HikariDataSource pool, Business business) {
        this.business = business;
        this.repository = new JdbcMessageIdRepository(pool, "torture");
        repository.start();
    }

    @Override
    public Reply handle(Request request) throws Exception {
        String id = SqlPeer.scoped(request);
        if (!add(id)) {
            return Reply.of(Reply.Kind.IN_FLIGHT);
        }
        try {
            byte[] outcome = business.runOutside(request, 1, 0);
            repository.confirm(id);
            return new Reply(Reply.Kind.EXECUTED_UNSETTLED, outcome, 1);
        } catch (Exception e) {
            repository.remove(id);
            throw e;
        }
    }

    private boolean add(String key) {
        try {
            return repository.add(key);
        } catch (DuplicateKeyException e) {
            // Its look and its insert are two statements; the loser of a race is told by the primary key.
            return false;
        }
    }

    @Override
    public void close() {
        repository.stop();
    }
}
