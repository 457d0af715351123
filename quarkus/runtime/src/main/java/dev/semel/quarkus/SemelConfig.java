package dev.semel.quarkus;

import io.quarkus.runtime.annotations.ConfigDocDefault;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The configuration under {@code semel}; read when the application starts. */
@ConfigMapping(prefix = "semel")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface SemelConfig {

    /** The store for keys, unless the application has a {@code KeyStore} bean. */
    @WithDefault("auto")
    StoreKind store();

    /** The key space, with its version. */
    @WithDefault("v1:default")
    String namespace();

    /** The caller that all requests come from, for services with a single caller. */
    Optional<String> scope();

    /** How long the owner of a key may be silent before it counts as dead. */
    @WithDefault("30s")
    Duration lease();

    /** How long an outcome is replayed. */
    @WithDefault("24h")
    Duration retention();

    /** How much longer than its retention a record is kept for people. */
    @WithDefault("0s")
    Duration audit();

    /** How much longer than its retention a key is answered as expired instead of being free again. */
    @WithDefault("0s")
    Duration tombstone();

    /** The largest response that is kept for replay. */
    @WithDefault("1M")
    MemorySize maxPayload();

    /** How long one call of the store may take before it is sent again. */
    @WithDefault("10s")
    Duration storeTimeout();

    /** How long a claim is repeated while the store is down. */
    @WithDefault("2s")
    Duration claimPatience();

    /** How long a caller is kept waiting for its outcome to be stored. */
    @WithDefault("5s")
    Duration settlePatience();

    /** How many duplicates may wait at the same time. */
    @WithDefault("10000")
    int maxWaiting();

    /** How long a shutdown waits for running operations. */
    @WithDefault("30s")
    Duration shutdownGrace();

    /** How often lapsed keys are resolved and expired ones purged. */
    @WithDefault("30s")
    Duration maintenanceInterval();

    /** The dialect of requests and answers, such as stripe. The build checks it too. */
    @WithDefault("draft")
    String dialect();

    /** The tables of the database store. */
    Jdbc jdbc();

    /** The settings for HTTP requests. */
    Http http();

    /** The store for keys. */
    enum StoreKind {
        /** The default data source; without one, the application does not start. */
        AUTO,
        /** A database, through the application's default data source. */
        JDBC,
        /** The memory of this process: for tests, and for a single process that may lose its keys. */
        MEMORY
    }

    /** The tables of the database store. */
    interface Jdbc {

        /** The schema that holds the table; by default the current one of a connection. */
        Optional<String> schema();

        /** The name of the table. */
        @WithDefault("semel_key")
        String table();

        /** Whether the tables are created or upgraded when the application starts. */
        @WithDefault("true")
        boolean createIfMissing();

        /** How long new keys go to the same generation, in PostgreSQL; by default, there are no generations. */
        Optional<Duration> generations();

        /** How long audit records of keys are kept after their retention, in PostgreSQL; by default, not at all. */
        Optional<Duration> auditWindow();
    }

    /** The settings for HTTP requests. */
    interface Http {

        /** The header that carries the key. */
        @ConfigDocDefault("as the dialect says")
        Optional<String> headerName();

        /** Whether only the quoted form of the header is accepted. */
        @WithDefault("false")
        boolean strictHeader();

        /** The longest key, in characters. */
        @ConfigDocDefault("as the dialect says")
        OptionalInt maxKeyLength();

        /** The largest request body. Quarkus has its own limit, {@code quarkus.http.limits.max-body-size}. */
        @WithDefault("10M")
        MemorySize maxRequestBody();

        /** The headers that mark a replay. */
        @ConfigDocDefault("as the dialect says")
        Optional<List<String>> replayMarker();

        /** Response headers that are replayed besides the standard ones. */
        Optional<List<String>> replayHeaders();

        /** Whether responses say until when their key replays; by default they do if {@code documentation} is set. */
        Optional<Boolean> publishExpiry();

        /** The page of the API's documentation that problems link to. */
        Optional<URI> documentation();

        /** The path of the resource that returns the outcome of an operation. */
        Optional<String> statusPath();

        /** How long a client may make a duplicate wait with the header Prefer. */
        @WithDefault("0s")
        Duration maxPreferredWait();

        /** Statuses by which resource methods say that they refused a request before they did anything. */
        Optional<List<Integer>> refusedStatuses();
    }
}
