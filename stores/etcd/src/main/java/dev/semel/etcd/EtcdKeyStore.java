package dev.semel.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.KeyDigest;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.CellBytes;
import dev.semel.spi.life.EngineFailures;
import dev.semel.spi.life.EngineTime;
import dev.semel.spi.life.ScanningCasKeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.spi.life.StoreUrl;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store in an etcd cluster. Every write is a transaction that compares the revision of the value that it replaces.
 *
 * <p>etcd has no clock that a transaction could use, so the clocks of the application's machines decide leases and expiry, as
 * {@link SharedClock} describes. Leases of etcd remove keys when their retention is over.
 */
public final class EtcdKeyStore extends ScanningCasKeyStore {

    /** etcd accepts requests of 1.5 MiB by default, including the names of keys and the request's own overhead. */
    private static final int MAX_BYTES = (1536 - 16) << 10;

    /** The client itself would wait forever. */
    private static final long TIMEOUT_SECONDS = 5;

    /** Errors that are permanent. All other errors may be temporary, also a full database. */
    private static final Set<Status.Code> REFUSALS =
            EnumSet.of(Status.Code.INVALID_ARGUMENT, Status.Code.PERMISSION_DENIED, Status.Code.UNAUTHENTICATED);

    private final KV kv;
    private final RemovalLeases leases;
    private final SharedClock clock;
    private final ByteSequence keys;
    private final ByteSequence open;
    private final Runnable close;

    private EtcdKeyStore(Builder builder, SharedClock clock) {
        super("the store in etcd", EngineFailures.of("etcd", EtcdKeyStore::mayPass));
        this.kv = builder.client.getKVClient();
        this.leases = new RemovalLeases(builder.client.getLeaseClient());
        this.clock = clock;
        this.keys = ByteSequence.from(builder.prefix + "/key/", UTF_8);
        this.open = ByteSequence.from(builder.prefix + "/open/", UTF_8);
        this.close = builder.close;
    }

    /**
     * Connects to the cluster that a URL such as {@code etcd://host:2379,host:2379/prefix} names. It may hold a user name and a
     * password, and the parameter {@code maxClockSkew} in milliseconds.
     */
    public static EtcdKeyStore connect(String url) {
        StoreUrl parsed =
                StoreUrl.parse(url, "etcd://host:2379,host:2379/prefix?maxClockSkew=2000", List.of("maxClockSkew"));
        List<URI> servers = parsed.hosts().stream()
                .map(host -> URI.create("http://" + host))
                .toList();
        Duration skew = parsed.maxClockSkew();
        ClientBuilder builder = Client.builder().endpoints(servers);
        if (parsed.user() != null) {
            builder.user(ByteSequence.from(parsed.user(), UTF_8)).password(ByteSequence.from(parsed.password(), UTF_8));
        }
        Client client = builder.build();
        return new Builder(client, client::close)
                .prefix(parsed.path())
                .maxClockSkew(skew)
                .compareClockWith(servers)
                .build();
    }

    /** A store that uses this client. The caller remains responsible for closing it. */
    public static Builder builder(Client client) {
        return new Builder(client, () -> {});
    }

    private static boolean mayPass(Throwable failure) {
        return (failure instanceof StatusRuntimeException || failure instanceof EtcdException)
                && !REFUSALS.contains(Status.fromThrowable(failure).getCode());
    }

    static <T> CompletableFuture<T> limited(CompletableFuture<T> call) {
        return call.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static ByteSequence name(ByteSequence directory, Object digest) {
        return directory.concat(ByteSequence.from(digest.toString(), UTF_8));
    }

    @Override
    protected SharedClock clock() {
        return clock;
    }

    @Override
    protected CompletionStage<@Nullable Cell> read(KeyDigest digest) {
        return limited(kv.get(name(keys, digest))).thenApply(EtcdKeyStore::cell);
    }

    private static @Nullable Cell cell(GetResponse response) {
        if (response.getKvs().isEmpty()) {
            return null;
        }
        KeyValue value = response.getKvs().get(0);
        return CellBytes.decode(value.getValue().getBytes(), value.getModRevision());
    }

    @Override
    protected CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next) {
        ByteSequence value = ByteSequence.from(CellBytes.encode(next, MAX_BYTES));
        return leases.until(next.removableAt(), clock.moment())
                .thenCompose(lease -> write(digest, expectedVersion, value, lease, next.isOpen()))
                .thenApply(answer -> swap(answer, next))
                .whenComplete(leases::forget);
    }

    private static Swap swap(TxnResponse answer, Cell next) {
        return answer.isSucceeded()
                ? new Swap(true, next.withVersion(answer.getHeader().getRevision()))
                : new Swap(false, cell(answer.getGetResponses().get(0)));
    }

    /** The revision of a key that is not there is 0, as {@link Cell#ABSENT} is. */
    private CompletionStage<TxnResponse> write(
            KeyDigest digest, long expected, ByteSequence value, long lease, boolean isOpen) {
        ByteSequence key = name(keys, digest);
        ByteSequence mark = name(open, digest);
        PutOption removal = PutOption.builder().withLeaseId(lease).build();
        return limited(kv.txn()
                .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(expected)))
                .Then(
                        Op.put(key, value, removal),
                        isOpen
                                ? Op.put(mark, ByteSequence.EMPTY, PutOption.DEFAULT)
                                : Op.delete(mark, DeleteOption.DEFAULT))
                .Else(Op.get(key, GetOption.DEFAULT))
                .commit());
    }

    /** Lists names, because the keys together may be larger than an answer may be. */
    @Override
    protected CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit) {
        ByteSequence directory = wanted == Wanted.OPEN ? open : keys;
        // The least name that comes behind that of the cursor.
        ByteSequence start = after == null ? directory : name(directory, KeyDigest.parse(after) + "\0");
        GetOption names = all(directory).withKeysOnly(true).withLimit(limit).build();
        return limited(kv.get(start, names)).thenCompose(listed -> {
            List<KeyDigest> digests = listed.getKvs().stream()
                    .map(found -> found.getKey().substring(directory.size()).toString(UTF_8))
                    .map(KeyDigest::parse)
                    .toList();
            return readEach(digests, !listed.isMore());
        });
    }

    private static GetOption.Builder all(ByteSequence directory) {
        byte[] end = directory.getBytes();
        end[end.length - 1]++;
        return GetOption.builder().withRange(ByteSequence.from(end));
    }

    /** The size in bytes is unknown: it depends on everything else in etcd, and on its last compaction. */
    @Override
    protected CompletionStage<Size> size() {
        return limited(kv.get(keys, all(keys).withCountOnly(true).build()))
                .thenApply(response -> new Size(response.getCount(), -1));
    }

    @Override
    protected void closeEngine() {
        close.run();
    }

    /** Builds an {@link EtcdKeyStore}. etcd needs no preparation. */
    public static final class Builder {

        private final Client client;
        private final Runnable close;
        private String prefix = "semel";
        private List<URI> servers = List.of();
        private Duration maxClockSkew = Duration.ofSeconds(2);
        private @Nullable SharedClock clock;

        private Builder(Client client, Runnable close) {
            this.client = client;
            this.close = close;
        }

        /** The prefix of the store's keys, {@code semel} by default. Each prefix is a separate store. */
        public Builder prefix(String prefix) {
            this.prefix = prefix;
            return this;
        }

        /**
         * By how much the clocks of two machines may differ, 2 seconds by default; the same on all machines. A machine whose
         * clock differs from those of the servers in {@link #compareClockWith} by more than half of this value claims no keys.
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            this.maxClockSkew = maxClockSkew;
            return this;
        }

        /** The servers' addresses for HTTP, whose answers have a date. Without them, the machine's clock is not checked. */
        public Builder compareClockWith(List<URI> servers) {
            this.servers = List.copyOf(servers);
            return this;
        }

        /** A clock for tests. */
        Builder clock(SharedClock clock) {
            this.clock = clock;
            return this;
        }

        public EtcdKeyStore build() {
            return new EtcdKeyStore(this, clock == null ? sharedClock() : clock);
        }

        private SharedClock sharedClock() {
            @Nullable
            EngineTime time = servers.isEmpty()
                    ? null
                    : new EngineTime(new ServerDate(HttpClient.newHttpClient(), servers)::now, Duration.ofSeconds(1));
            return new SharedClock("etcd", InstantSource.system(), maxClockSkew, time);
        }
    }
}
