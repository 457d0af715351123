package dev.semel.spring.transaction;

import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** A bean whose methods write to the application's database, and are called inside a transaction of their caller. */
class Bookings {

    private final JdbcTemplate jdbc;
    private final AtomicInteger runs = new AtomicInteger();

    Bookings(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("create table if not exists booking (id text not null)");
    }

    /** Says nothing of transactions: its repository joins whatever is running. */
    @Idempotent(value = "bookings.external", key = "#id")
    String book(String id) {
        return insert(id);
    }

    @Idempotent(value = "bookings.outside", key = "#id")
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    String bookOutside(String id) {
        return insert(id);
    }

    @Idempotent(value = "bookings.separate", key = "#id")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    String bookSeparately(String id) {
        return insert(id);
    }

    @Idempotent(value = "bookings.mono", key = "#id")
    Mono<String> bookLater(String id) {
        return Mono.fromSupplier(() -> insert(id));
    }

    @Idempotent(value = "bookings.mono-separate", key = "#id")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    Mono<String> bookLaterSeparately(String id) {
        return Mono.fromSupplier(() -> insert(id));
    }

    @Idempotent(value = "bookings.transactional", key = "#id", mode = Mode.TRANSACTIONAL)
    @Transactional
    String bookTogether(String id) {
        return insert(id);
    }

    @Idempotent(value = "bookings.single", key = "#id", mode = Mode.SINGLE_TRANSACTION)
    @Transactional
    String bookInOne(String id) {
        return insert(id);
    }

    @Idempotent(value = "bookings.full", key = "#id", mode = Mode.SINGLE_TRANSACTION)
    @Transactional
    String bookFull(String id) {
        insert(id);
        throw new IllegalStateException("fully booked");
    }

    @Idempotent(value = "bookings.after-commit", key = "#id", mode = Mode.TRANSACTIONAL)
    @Transactional
    String bookAndTell(String id) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                throw new IllegalStateException("nobody could be told of " + id);
            }
        });
        return insert(id);
    }

    private String insert(String id) {
        runs.incrementAndGet();
        jdbc.update("insert into booking (id) values (?)", id);
        return "booked";
    }

    int runs() {
        return runs.get();
    }

    int rows(String id) {
        Integer rows = jdbc.queryForObject("select count(*) from booking where id = ?", Integer.class, id);
        return rows == null ? 0 : rows;
    }
}
