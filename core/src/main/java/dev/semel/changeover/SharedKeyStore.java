package dev.semel.changeover;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.changeover.LegacyKeys.RowState;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that takes each key in the application's own table as well, after its own claim and before the operation runs. The order of
 * the writes is what makes a crash between two of them safe:
 *
 * <ul>
 *   <li>claim here, then there: among nodes with Semel only the owner asks the table;
 *   <li>settle here, then there: only what the token allows gets into the table, and a replay writes it once more;
 *   <li>release there, then here: no other node with Semel can have taken the row meanwhile.
 * </ul>
 */
final class SharedKeyStore extends ForwardingKeyStore {

    private static final Logger log = LoggerFactory.getLogger(SharedKeyStore.class);

    private final LegacyKeys legacy;
    private final Executor executor;

    SharedKeyStore(KeyStore store, LegacyKeys legacy, Executor executor) {
        super(store);
        this.legacy = legacy;
        this.executor = executor;
    }

    /** Does not join transactions: an outcome that is settled inside one would not reach the table. */
    @Override
    protected <T> Optional<T> capability(Class<T> type) {
        return TransactionJoining.class.isAssignableFrom(type) ? Optional.empty() : super.capability(type);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return ForwardedCall.compose(store().claim(request), claim -> {
            if (claim instanceof Claim.Acquired acquired) {
                return ask(request, acquired);
            }
            if (claim instanceof Claim.Settled settled) {
                // Its owner may have died before it had told the table, or an operator has settled it.
                writeBack(request.key(), settled.token(), settled.outcome());
            }
            return CompletableFuture.completedFuture(claim);
        });
    }

    private CompletionStage<Claim> ask(ClaimRequest request, Claim.Acquired acquired) {
        Lease lease = acquired.lease();
        return call(() -> legacy.claim(request.key(), request.operation(), lease.token()))
                .thenCompose(answer -> {
                    if (answer instanceof RowState.Settled settled) {
                        return store().settle(lease, settled.outcome(), request.retention())
                                .thenCompose(stored -> claim(request.withoutTakeOver()));
                    }
                    if (answer instanceof RowState.InProgress) {
                        // An attempt runs only with the row, so none of Semel's has run this.
                        return store().release(lease)
                                .thenApply(released -> new Claim.InFlight(Duration.ZERO, request.lease()));
                    }
                    return CompletableFuture.completedFuture(acquired);
                });
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return ForwardedCall.compose(
                store().settle(lease, outcome, retention),
                settled -> settled ? tell(lease) : CompletableFuture.completedFuture(false));
    }

    /** The outcome is durable here, whether the table gets it or not. */
    private CompletionStage<Boolean> tell(Lease lease) {
        return find(lease)
                .thenCompose(found -> found.map(KeyRecord::outcome)
                        .map(outcome -> writeBack(found.get().key(), lease.token(), outcome))
                        .orElseGet(() -> CompletableFuture.completedStage(true)))
                .exceptionally(failure -> {
                    log.warn("the outcome of {} is not in the application's own table", lease.digest(), failure);
                    return true;
                });
    }

    private CompletionStage<Boolean> writeBack(Key key, long token, Outcome outcome) {
        return call(() -> {
                    legacy.settle(key, token, outcome);
                    return true;
                })
                .exceptionally(failure -> {
                    log.warn("the outcome of {} is not in the application's own table", key, failure);
                    return true;
                });
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return ForwardedCall.compose(
                find(lease),
                found -> found.isEmpty()
                        ? store().release(lease)
                        : call(() -> {
                                    legacy.release(found.get().key(), lease.token());
                                    return true;
                                })
                                .thenCompose(told -> store().release(lease)));
    }

    /** The key of a lease that is held. */
    private CompletionStage<Optional<KeyRecord>> find(Lease lease) {
        return require(Inspecting.class)
                .find(lease.digest())
                .thenApply(found -> found.filter(record -> record.token() == lease.token()));
    }

    /** Makes a call of the table. */
    private <T> CompletableFuture<T> call(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    result.complete(call.call());
                } catch (Throwable e) {
                    result.completeExceptionally(unavailable(e));
                }
            });
        } catch (RuntimeException e) {
            result.completeExceptionally(unavailable(e));
        }
        return result;
    }

    private static StoreUnavailableException unavailable(Throwable cause) {
        return new StoreUnavailableException("the application's own table of keys did not answer", cause);
    }
}
