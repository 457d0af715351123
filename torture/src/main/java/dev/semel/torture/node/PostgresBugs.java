package dev.semel.torture.node;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stores in PostgreSQL with one mistake each, made by statements of their own. */
final class PostgresBugs {

    private static final String OWN =
            "UPDATE semel_key SET state = 0, nonce = ?, token = ?, lease_until = now() + interval '3 s' WHERE digest = ?";
    private static final String FORGET = "DELETE FROM semel_key WHERE digest = ?";
    private static final String FORGET_PENDING = "DELETE FROM semel_key WHERE state = 0";

    private PostgresBugs() {}

    static KeyStore settlingWithoutToken(KeyStore store, @Nullable DataSource database) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
                return super.settle(lease, outcome, retention).thenCompose(settled -> {
                    if (settled) {
                        return CompletableFuture.completedStage(true);
                    }
                    own(database, lease);
                    return super.settle(lease, outcome, retention);
                });
            }
        };
    }

    static KeyStore renewingWithoutCheck(KeyStore store, @Nullable DataSource database) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
                Set<Lease> leases = renewals.stream().map(Renewal::lease).collect(Collectors.toSet());
                return CompletableFuture.supplyAsync(() -> {
                    leases.forEach(lease -> own(database, lease));
                    return leases;
                });
            }
        };
    }

    static KeyStore releasingWithoutToken(KeyStore store, @Nullable DataSource database) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> release(Lease lease) {
                return super.release(lease)
                        .thenApplyAsync(released -> released
                                || execute(database, FORGET, lease.digest().asUuid()) == 1);
            }
        };
    }

    static KeyStore purgingPending(KeyStore store, @Nullable DataSource database) {
        final class PurgingPending extends ForwardingKeyStore implements Purging {

            PurgingPending() {
                super(store);
            }

            @Override
            public CompletionStage<Purged> purge(int limit) {
                return CompletableFuture.supplyAsync(() -> execute(database, FORGET_PENDING))
                        .thenCompose(removed -> require(Purging.class).purge(limit));
            }
        }
        return new PurgingPending();
    }

    private static void own(@Nullable DataSource database, Lease lease) {
        execute(database, OWN, lease.nonce(), lease.token(), lease.digest().asUuid());
    }

    private static int execute(@Nullable DataSource database, String sql, Object... parameters) {
        try (Connection connection = Objects.requireNonNull(database).getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new StoreUnavailableException("the planted bug could not act: " + e.getMessage(), e);
        }
    }
}
