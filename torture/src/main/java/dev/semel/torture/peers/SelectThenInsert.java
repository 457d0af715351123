package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.util.Optional;

/** The first version that most teams write, which all articles warn of: look, run, store. */
final class SelectThenInsert extends SqlPeer {

    SelectThenInsert(HikariDataSource pool, Business business) {
        super(
                pool,
                business,
                "CREATE TABLE IF NOT EXISTS idempotency_keys (key text PRIMARY KEY, response text NOT NULL)");
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        Optional<Row> known = query("SELECT response FROM idempotency_keys WHERE key = ?", request.key());
        if (known.isPresent()) {
            return ServiceReply.replayed(bytes(known.get().first()));
        }
        byte[] outcome = run(request);
        update("INSERT INTO idempotency_keys (key, response) VALUES (?, ?)", request.key(), text(outcome));
        return ServiceReply.executed(outcome);
    }
}
