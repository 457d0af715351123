package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.SystemUnderTest;
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
    public ServiceReply handle(ServiceRequest request) throws Exception {
        String id = SqlPeer.scoped(request);
        if (!add(id)) {
            return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
        }
        try {
            byte[] outcome = business.runOutside(request, 1, 0);
            repository.confirm(id);
            return new ServiceReply(ServiceReply.Kind.EXECUTED_UNSETTLED, outcome, 1);
        } catch (Exception e) {
            repository.remove(id);
            throw e;
        }
    }

    private boolean add(String key) {
        try {
            return repository.add(key);
        } catch (DuplicateKeyException e) {
            // Its look and its insert are two statements; the primary key stops the loser of a race.
            return false;
        }
    }

    @Override
    public void close() {
        repository.stop();
    }
}
