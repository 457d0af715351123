package dev.semel.dynamodb;

import dev.semel.store.StoreException;
import dev.semel.spi.life.SharedClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Makes a {@link DynamoDbKeyStore}. */
public final class DynamoDbKeyStoreBuilder {

    private static final Duration CREATION = Duration.ofMinutes(3);

    private final DynamoDbAsyncClient client;
    private final boolean ownsClient;
    private String table = "semel";
    private boolean createIfMissing;
    private Duration maxClockSkew = Duration.ofSeconds(2);
    private InstantSource clock = InstantSource.system();
    private boolean checkClock = true;

    DynamoDbKeyStoreBuilder(DynamoDbAsyncClient client, boolean ownsClient) {
        this.client = client;
        this.ownsClient = ownsClient;
    }

    /** The name of the table, {@code semel} by default. */
    public DynamoDbKeyStoreBuilder table(String name) {
        this.table = name;
        return this;
    }

    /** Whether to create the table, billed on demand, if there is none; {@code false} by default. */
    public DynamoDbKeyStoreBuilder createIfMissing(boolean createIfMissing) {
        this.createIfMissing = createIfMissing;
        return this;
    }

    /**
     * By how much the clocks of two machines may differ, 2 seconds by default; the same on all machines. A lease is
     * taken over only when it has lapsed by that much. A machine whose clock differs from DynamoDB's by more than half
     * of it claims no keys.
     */
    public DynamoDbKeyStoreBuilder maxClockSkew(Duration maxClockSkew) {
        this.maxClockSkew = maxClockSkew;
        return this;
    }

    /** A clock for tests, which is not compared with DynamoDB's. */
    DynamoDbKeyStoreBuilder clock(InstantSource clock) {
        this.clock = clock;
        this.checkClock = false;
        return this;
    }

    /** Finds the table, and waits until that is done. Throws a {@link StoreException} if there is none. */
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
                        "there is no table \"" + table + "\" in DynamoDB: create it as the documentation describes, or"
                                + " let createIfMissing(true) or create=true in the URL do it",
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
