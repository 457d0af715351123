package dev.semel.torture.node;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Stores with one mistake each, on PostgreSQL. */
final class Bugs {

    private static final String OWN =
            "UPDATE semel_key SET state = 0, nonce = ?, token = ?, lease_until = now() + interval '3 s' WHERE digest = ?";
    private static final String FORGET_PENDING = "DELETE FROM semel_key WHERE state = 0";

    private Bugs() {}

    static KeyStore plant(Bug bug, KeyStore store, DataSource database) {
        return switch (bug) {
            case SETTLE_WITHOUT_TOKEN -> settlingWithoutToken(store, database);
            case RENEW_WITHOUT_CHECK -> renewingWithoutCheck(store, database);
            case PURGE_PENDING -> purgingPending(store, database);
            case ANSWER_BEFORE_SETTLE -> answeringBeforeSettle(store);
            case RUN_AGAIN_UNDER_HOLD -> takingOverAlways(store);
            case TAKEOVER_KEEPS_TOKEN -> keepingToken(store);
            case REPLAY_RESERIALISED -> reserialising(store);
            case ZOMBIE_COMMITS -> committingAlways(store);
            case NONE, FAIL_OPEN, UNSCOPED_KEY, RELEASE_ON_ANY_EXCEPTION, BODY_IGNORED, CAUSES_DROPPED -> store;
        };
    }

    private static KeyStore settlingWithoutToken(KeyStore store, DataSource database) {
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

    private static KeyStore renewingWithoutCheck(KeyStore store, DataSource database) {
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

    private static KeyStore purgingPending(KeyStore store, DataSource database) {
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

    private static KeyStore answeringBeforeSettle(KeyStore store) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
                CompletableFuture.runAsync(
                        () -> super.settle(lease, outcome, retention),
                        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
                return CompletableFuture.completedStage(true);
            }
        };
    }

    /** A store that claims in another way. */
    private static KeyStore claiming(KeyStore store, Function<ClaimRequest, CompletionStage<Claim>> claim) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Claim> claim(ClaimRequest request) {
                return claim.apply(request);
            }
        };
    }

    private static KeyStore takingOverAlways(KeyStore store) {
        return claiming(
                store, request -> store.claim(request.toBuilder().takeOver(true).build()));
    }

    private static KeyStore keepingToken(KeyStore store) {
        Inspecting inspecting = KeyStore.capability(store, Inspecting.class).orElseThrow();
        return claiming(
                store,
                request -> inspecting
                        .find(request.key().digest())
                        .thenCompose(known -> store.claim(request).thenApply(claim -> kept(known, claim))));
    }

    private static Claim kept(Optional<KeyRecord> before, Claim claim) {
        if (before.isEmpty()
                || !(claim instanceof Claim.Acquired acquired)
                || acquired.lease().attempt() == 1) {
            return claim;
        }
        Lease lease = acquired.lease();
        return new Claim.Acquired(
                new Lease(lease.digest(), lease.nonce(), before.get().token(), lease.attempt()), acquired.steps());
    }

    private static KeyStore reserialising(KeyStore store) {
        return claiming(
                store,
                request -> store.claim(request)
                        .thenApply(claim -> claim instanceof Claim.Settled settled
                                ? settled.withOutcome(printed(settled.outcome()))
                                : claim));
    }

    private static Outcome printed(Outcome outcome) {
        String text = new String(outcome.requirePayload(), StandardCharsets.UTF_8);
        return Outcome.builder(outcome.result())
                .status(outcome.status())
                .payload(text.replace(" : ", ":").replace("1.50", "1.5"))
                .build();
    }

    private static KeyStore committingAlways(KeyStore store) {
        return new JoiningStore(store) {
            @Override
            public boolean settle(Connection transaction, Lease lease, Outcome outcome, Retention retention) {
                super.settle(transaction, lease, outcome, retention);
                return true;
            }
        };
    }

    private static void own(DataSource database, Lease lease) {
        execute(database, OWN, lease.nonce(), lease.token(), lease.digest().asUuid());
    }

    private static int execute(DataSource database, String sql, Object... parameters) {
        try (Connection connection = database.getConnection();
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
