package dev.semel.spring.operation;

import dev.semel.Namespace;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties under {@code semel}.
 *
 * @param store the store for keys
 * @param namespace the key space, with its version
 * @param scope the caller that all requests come from, for services with a single caller
 * @param lease how long the owner of a key may be silent before it counts as dead
 * @param retention how long an outcome is replayed; requests in a dialect that promises more are kept for that long unless this
 *     is set
 * @param audit how much longer than its retention a record is kept for people
 * @param tombstone how much longer than its retention a key is answered as expired instead of being free again
 * @param maxPayload the largest response or value that is kept for replay
 * @param storeTimeout how long one call of the store may take before it is sent again
 * @param claimPatience how long a claim is repeated while the store is down
 * @param settlePatience how long a caller is kept waiting for its outcome to be stored
 * @param maxWaiting how many duplicates may wait at the same time
 * @param shutdownGrace how long a shutdown waits for running operations
 * @param maintenanceInterval how often lapsed keys are resolved and expired ones purged
 * @param dialect the dialect of requests and answers, such as stripe: the name of a dialect or of a Dialect bean
 */
@ConfigurationProperties("semel")
public record SemelProperties(
        @DefaultValue("auto") StoreKind store,
        @DefaultValue("v1:default") String namespace,
        @Nullable String scope,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("24h") Duration retention,
        @DefaultValue("0s") Duration audit,
        @DefaultValue("0s") Duration tombstone,
        @DefaultValue("1MB") DataSize maxPayload,
        @DefaultValue("10s") Duration storeTimeout,
        @DefaultValue("2s") Duration claimPatience,
        @DefaultValue("5s") Duration settlePatience,
        @DefaultValue("10000") int maxWaiting,
        @DefaultValue("30s") Duration shutdownGrace,
        @DefaultValue("30s") Duration maintenanceInterval,
        @DefaultValue("draft") String dialect,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Redis redis,
        @DefaultValue Cassandra cassandra,
        @DefaultValue Etcd etcd,
        @DefaultValue Http http) {

    /** The store for keys. */
    public enum StoreKind {
        /** The DataSource if there is one, otherwise Redis; with neither, the application does not start. */
        AUTO,
        /** A database, through the application's DataSource. */
        JDBC,
        /** Redis; needs semel-redis. */
        REDIS,
        /** Cassandra or ScyllaDB; needs semel-cassandra. */
        CASSANDRA,
        /** etcd; needs semel-etcd. */
        ETCD,
        /** The memory of this process: for tests, and for a single process that may lose its keys. */
        MEMORY
    }

    /**
     * The tables of the database store.
     *
     * @param schema the schema that holds the table; by default the current one of a connection
     * @param table the name of the table
     * @param createIfMissing whether the tables are created or upgraded when the application starts
     * @param generations how long new keys go to the same generation, in PostgreSQL; by default, there are no generations
     * @param auditWindow how long audit records of keys are kept after their retention, in PostgreSQL; by default, not
     *     at all
     * @param restoreGuard whether claims are refused after the database was restored from an older copy, until an operator
     *     acknowledges that
     */
    public record Jdbc(
            @Nullable String schema,
            @DefaultValue("semel_key") String table,
            @DefaultValue("true") boolean createIfMissing,
            @Nullable Duration generations,
            @Nullable Duration auditWindow,
            @DefaultValue("false") boolean restoreGuard) {}

    /**
     * The Redis store.
     *
     * @param url the URL of Redis; by default the address in spring.data.redis
     * @param prefix the prefix of Semel's keys in Redis; by default that of the URL, or semel
     * @param createIfMissing whether to set the store up if it does not exist in Redis; until then, all claims are
     *     refused. A Redis that has lost everything looks the same. By default as in the URL, or false
     * @param replicas how many replicas must confirm a write; by default as in the URL, or none
     */
    public record Redis(
            @Nullable String url,
            @Nullable String prefix,
            @Nullable Boolean createIfMissing,
            @Nullable Integer replicas) {}

    /**
     * The Cassandra store.
     *
     * @param url the URL of the Cassandra store, with its parameters
     */
    public record Cassandra(@Nullable String url) {}

    /**
     * The etcd store.
     *
     * @param url the URL of the etcd store, with its parameters
     */
    public record Etcd(@Nullable String url) {}

    /**
     * The settings for HTTP requests.
     *
     * @param headerName the header that carries the key; by default that of the dialect
     * @param strictHeader whether only the quoted form of the header is accepted
     * @param maxKeyLength the longest key, in characters; by default that of the dialect
     * @param maxRequestBody the largest request body
     * @param replayMarker the headers that mark a replay; by default that of the dialect
     * @param replayHeaders response headers that are replayed besides the standard ones
     * @param publishExpiry whether responses say until when their key replays; by default they do if
     *     semel.http.documentation is set
     * @param documentation the page of the API's documentation that problems link to; by default
     *     semel.http.problem-pages
     * @param problemPages the URL of the page that describes problems. The type of a problem is then a heading on this
     *     page, or a page below it if the URL ends with a slash; by default, types are URNs
     * @param signatureSecrets the signature secrets of a webhook dialect, as the provider shows them; several while one
     *     replaces another
     * @param statusPath the path of the resource that returns the outcome of an operation
     * @param maxPreferredWait how long a client may make a duplicate wait with the header Prefer
     * @param bodyHashSecret the secret of keys that are a hash of the body, at least 16 characters; the same on all nodes, and
     *     for as long as keys are kept
     * @param clockTolerance by how much the clocks of clients may differ from those of the nodes
     * @param keyTimeHeader the header with the HTTP date at which a client first sent a request
     * @param refusedStatuses statuses by which handlers say that they refused a request before they did anything; by
     *     default, none
     * @param shadow whether shadow mode is on: requests run unprotected, and Semel records what it would have done for
     *     a report
     */
    public record Http(
            @Nullable String headerName,
            @DefaultValue("false") boolean strictHeader,
            @Nullable Integer maxKeyLength,
            @DefaultValue("10MB") DataSize maxRequestBody,
            @DefaultValue List<String> replayMarker,
            @DefaultValue List<String> replayHeaders,
            @Nullable Boolean publishExpiry,
            @Nullable URI documentation,
            @Nullable URI problemPages,
            @DefaultValue List<String> signatureSecrets,
            @Nullable String statusPath,
            @DefaultValue("0s") Duration maxPreferredWait,
            @Nullable String bodyHashSecret,
            @DefaultValue("5m") Duration clockTolerance,
            @Nullable String keyTimeHeader,
            @DefaultValue List<Integer> refusedStatuses,
            @DefaultValue("false") boolean shadow) {

        /** Keeps the secrets out of the log. */
        @Override
        public String toString() {
            return "Http[headerName=" + headerName + "]";
        }
    }

    public Namespace parsedNamespace() {
        return Namespace.parse(namespace);
    }
}
