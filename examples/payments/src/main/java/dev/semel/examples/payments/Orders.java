package dev.semel.examples.payments;

import dev.semel.Attempt;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps orders in the same database as Semel's keys. */
@Service
class Orders {

    private final JdbcClient database;

    Orders(JdbcClient database) {
        this.database = database;
    }

    /** The order and the outcome are one commit: one never exists without the other. */
    @Idempotent(value = "order", mode = Mode.TRANSACTIONAL)
    @Transactional
    public long place(String item, String charge, Attempt attempt) {
        return database.sql("INSERT INTO orders (item, charge) VALUES (?, ?) RETURNING id")
                .params(item, charge)
                .query(Long.class)
                .single();
    }
}
