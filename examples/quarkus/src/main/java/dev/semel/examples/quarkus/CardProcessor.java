package dev.semel.examples.quarkus;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** A stand-in for an external service that moves money: each call is a charge, and a second call would be a second one. */
@ApplicationScoped
public class CardProcessor {

    private final DataSource ledger;
    private final boolean silent;

    /**
     * @param silent whether the processor charges and then never answers, so that the service can be killed in between
     */
    @Inject
    public CardProcessor(
            DataSource ledger, @ConfigProperty(name = "processor.silent", defaultValue = "false") boolean silent) {
        this.ledger = ledger;
        this.silent = silent;
    }

    void start(@Observes StartupEvent event) throws SQLException {
        try (Connection connection = ledger.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists charge (order_id text not null, receipt text not null)");
        }
    }

    public String charge(String order) throws SQLException {
        String receipt = UUID.randomUUID().toString();
        try (Connection connection = ledger.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into charge values (?, ?)")) {
            insert.setString(1, order);
            insert.setString(2, receipt);
            insert.executeUpdate();
        }
        return silent ? new CompletableFuture<String>().join() : receipt;
    }

    public Uni<String> chargeLater(String order) {
        return Uni.createFrom()
                .item(() -> {
                    try {
                        return charge(order);
                    } catch (SQLException e) {
                        throw new IllegalStateException("cannot charge " + order, e);
                    }
                })
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }
}
