package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.spi.Lease;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.ScanningCasKeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * A store in a table of Amazon DynamoDB. Every write is conditional, and every read strongly consistent.
 *
 * <p>DynamoDB has no clock that a condition could use, so here the clocks of the application's machines decide leases and
 * expiry. They may differ by the {@linkplain Builder#maxClockSkew maximal skew}: a lease is taken over, and a key expires, only
 * when its time has passed by that much. No clock decides that a key has one owner, or that an attempt without its lease cannot
 * write.
 *
 * <p>DynamoDB removes expired keys itself (time to live), at no cost and some time later; nothing depends on when.
 */
public final class DynamoDbKeyStore extends ScanningCasKeyStore {

    /** The steps of a key are in one item with the rest of it, and an item has at most 400 KB. */
    private static final int MAX_STEP_BYTES = 192 << 10;

    private final Table table;
    private final Cells cells;
    private final Listing listing;
    private final SharedClock clock;
    private final @Nullable DynamoDbAsyncClient ownClient;

    DynamoDbKeyStore(Table table, SharedClock clock, @Nullable DynamoDbAsyncClient ownClient) {
        super("the store in DynamoDB", Failures.WRAP);
        this.table = table;
        this.cells = new Cells(table);
        this.listing = new Listing(table);
        this.clock = clock;
        this.ownClient = ownClient;
    }

    /**
     * Connects to the table that a URL such as {@code dynamodb:semel?region=eu-central-1} names. Its query may hold
     * {@code region}, {@code endpoint}, {@code createIfMissing=true} and {@code maxClockSkew} in milliseconds.
     * Credentials, and a region that the URL leaves out, come from the AWS SDK's default providers.
     */
    public static DynamoDbKeyStore connect(String url) {
        return DynamoDbUrl.parse(url).builder().build();
    }

    /** A store that uses this client. The caller remains responsible for closing it. */
    public static Builder builder(DynamoDbAsyncClient client) {
        return new Builder(client, false);
    }

    @Override
    protected SharedClock clock() {
        return clock;
    }

    @Override
    protected CompletionStage<@Nullable Cell> read(KeyDigest digest) {
        return table.read(digest).thenCompose(item -> cells.read(item, latest()));
    }

    /** The latest time that the clock of a machine may show. */
    private Instant latest() {
        return clock.moment().now().plus(clock.skew());
    }

    @Override
    protected CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next) {
        return cells.write(digest, next)
                .thenCompose(item -> table.put(item, expectedVersion))
                .thenCompose(written ->
                        cells.read(written.found(), latest()).thenApply(found -> new Swap(written.done(), found)));
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return changeOwn(lease, (key, moment, newToken) -> {
            Change<Boolean> recorded = KeyLife.recordStep(key, lease, name, result);
            if (recorded.changed() && Objects.requireNonNull(recorded.next()).stepBytes() > MAX_STEP_BYTES) {
                throw new StoreException(
                        "no room for a step result of " + result.length + " bytes: the steps of one key may have "
                                + MAX_STEP_BYTES + " bytes in DynamoDB; store large results elsewhere, and record"
                                + " their location",
                        null);
            }
            return recorded;
        });
    }

    @Override
    protected CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit) {
        CompletionStage<Listing.Items> items =
                wanted == Wanted.OPEN ? listing.open(after, limit) : listing.all(after, limit);
        return items.thenCompose(listed -> places(listed, wanted));
    }

    private CompletionStage<Scan> places(Listing.Items listed, Wanted wanted) {
        return whenRead(
                listed.found().stream().map(Listing.Found::cursor).toList(),
                listed.found().stream().map(found -> cell(found, wanted)).toList(),
                listed.next());
    }

    private CompletionStage<@Nullable Cell> cell(Listing.Found found, Wanted wanted) {
        return switch (wanted) {
            case ALL -> cells.read(found.item(), latest());
            case COUNTED -> CompletableFuture.completedFuture(cells.readHead(found.item(), latest()));
            case OPEN -> read(Keys.digest(found.item()));
        };
    }

    @Override
    protected CompletionStage<Size> size() {
        return table.describe().thenApply(described -> {
            Long items = described.table().itemCount();
            Long bytes = described.table().tableSizeBytes();
            return new Size(items == null ? -1 : items, bytes == null ? -1 : bytes);
        });
    }

    /** The client is closed only if the store has made it itself. */
    @Override
    protected void closeEngine() {
        if (ownClient != null) {
            ownClient.close();
        }
    }

    /** Builds a {@link DynamoDbKeyStore}. */
    public static final class Builder {

        private static final Duration CREATION = Duration.ofMinutes(3);

        private final DynamoDbAsyncClient client;
        private final boolean ownsClient;
        private String table = "semel";
        private boolean createIfMissing;
        private Duration maxClockSkew = Duration.ofSeconds(2);
        private InstantSource clock = InstantSource.system();
        private boolean checkClock = true;

        Builder(DynamoDbAsyncClient client, boolean ownsClient) {
            this.client = client;
            this.ownsClient = ownsClient;
        }

        /** The name of the table, {@code semel} by default. */
        public Builder table(String name) {
            this.table = name;
            return this;
        }

        /** Creates the table, billed on demand, if it does not exist. */
        public Builder createIfMissing() {
            this.createIfMissing = true;
            return this;
        }

        /**
         * By how much the clocks of two machines may differ, 2 seconds by default; the same on all machines. A lease is
         * taken over only when it has lapsed by that much. A machine whose clock differs from DynamoDB's by more than half
         * of this value claims no keys.
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            this.maxClockSkew = maxClockSkew;
            return this;
        }

        /** A clock for tests, which is not compared with DynamoDB's. */
        Builder clock(InstantSource clock) {
            this.clock = clock;
            this.checkClock = false;
            return this;
        }

        /** Finds the table, and waits for the answer. Throws a {@link StoreException} if the table does not exist. */
        public DynamoDbKeyStore build() {
            try {
                SharedClock shared = new SharedClock("DynamoDB", clock, maxClockSkew);
                Table found = new Table(client, table, checkClock ? shared : null);
                open(found);
                return new DynamoDbKeyStore(found, shared, ownsClient ? client : null);
            } catch (RuntimeException e) {
                if (ownsClient) {
                    client.close();
                }
                throw e;
            }
        }

        private void open(Table found) {
            try {
                await(found.describe(), Duration.ofSeconds(30));
            } catch (StoreException e) {
                if (!(e.getCause() instanceof ResourceNotFoundException)) {
                    throw e;
                }
                if (!createIfMissing) {
                    throw new StoreException(
                            "there is no table \"" + table
                                    + "\" in DynamoDB: create it as the documentation describes, or"
                                    + " let createIfMissing() or createIfMissing=true in the URL do it",
                            e);
                }
                await(found.create(), CREATION);
            }
        }

        private static <T extends @Nullable Object> T await(CompletionStage<T> stage, Duration limit) {
            try {
                return stage.toCompletableFuture()
                        .orTimeout(limit.toSeconds(), TimeUnit.SECONDS)
                        .join();
            } catch (CompletionException e) {
                throw Failures.WRAP.apply(e);
            }
        }
    }
}
