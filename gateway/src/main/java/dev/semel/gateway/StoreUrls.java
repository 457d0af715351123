package dev.semel.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.semel.cassandra.CassandraKeyStore;
import dev.semel.check.Secrets;
import dev.semel.dynamodb.DynamoDbKeyStore;
import dev.semel.etcd.EtcdKeyStore;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.config.Parse;
import dev.semel.gateway.files.DatabaseFile;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.redis.RedisKeyStore;
import dev.semel.sealing.Sealing;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Opens the store that a URL names. */
public final class StoreUrls {

    private static final String SQLITE = "sqlite:";

    private static final String MYSQL = "jdbc:mysql:";

    /** The parameter for PostgreSQL that its driver does not know. */
    private static final Pattern GENERATIONS = Pattern.compile("([?&])generations=([^&]*)&?");

    private static final int POOL_SIZE = 8;
    private static final long CONNECTION_TIMEOUT_MILLIS = 5000;

    private StoreUrls() {}

    /** A store, and what it stands on; closing closes both. */
    public record OpenStore(KeyStore keys, AutoCloseable base) implements AutoCloseable {

        @Override
        public void close() throws Exception {
            keys.close();
            base.close();
        }
    }

    public static OpenStore open(String url) {
        return openPlain(url, null);
    }

    /** Whatever a driver says of its URL, nobody is shown the password in it. */
    private static OpenStore openPlain(String url, @Nullable Duration auditWindow) {
        try {
            return openNamed(url, auditWindow);
        } catch (RuntimeException e) {
            if (!tells(e, url)) {
                throw e;
            }
            // Without its cause, which a log would show.
            String message = Secrets.without(url, String.valueOf(e.getMessage()));
            throw e instanceof StoreUnavailableException
                    ? new StoreUnavailableException(message, null)
                    : new ConfigException("store: \"" + redacted(url) + "\" cannot be opened: " + message);
        }
    }

    private static boolean tells(Throwable failure, String url) {
        return Failures.causes(failure)
                .map(each -> String.valueOf(each.getMessage()))
                .anyMatch(message -> !Secrets.without(url, message).equals(message));
    }

    private static OpenStore openNamed(String url, @Nullable Duration auditWindow) {
        if (url.equals("memory:")) {
            return new OpenStore(InMemoryKeyStore.create(), () -> {});
        }
        if (url.startsWith(SQLITE) && url.length() > SQLITE.length()) {
            return jdbc("jdbc:" + url, auditWindow);
        }
        if (url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:mariadb:")) {
            return jdbc(url, auditWindow);
        }
        if (url.startsWith(MYSQL)) {
            // MariaDB's driver speaks to MySQL too. MySQL's own is under the GPL, and not part of the gateway.
            return jdbc("jdbc:mariadb:" + url.substring(MYSQL.length()), auditWindow);
        }
        if (url.matches("rediss?(-sentinel|-cluster)?://.*")) {
            return new OpenStore(RedisKeyStore.connect(url), () -> {});
        }
        if (url.startsWith("dynamodb:")) {
            return new OpenStore(DynamoDbKeyStore.connect(url), () -> {});
        }
        if (url.startsWith("cassandra://")) {
            return new OpenStore(CassandraKeyStore.connect(url), () -> {});
        }
        if (url.startsWith("etcd://")) {
            return new OpenStore(EtcdKeyStore.connect(url), () -> {});
        }
        throw new ConfigException(
                "store: expected sqlite:PATH, jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE,"
                        + " jdbc:mysql://HOST/DATABASE, redis://HOST, dynamodb:TABLE, cassandra://HOST/KEYSPACE, etcd://HOST or memory:, got \""
                        + redacted(url) + "\"");
    }

    /** Opens the store, and seals what it keeps. */
    public static OpenStore open(String url, @Nullable Sealing sealing) {
        return open(url, sealing, null);
    }

    /** The same with an audit window, for a store in PostgreSQL. */
    public static OpenStore open(String url, @Nullable Sealing sealing, @Nullable Duration auditWindow) {
        OpenStore store = openPlain(url, auditWindow);
        return sealing == null ? store : new OpenStore(sealing.around(store.keys()), store.base());
    }

    private static OpenStore jdbc(String givenUrl, @Nullable Duration auditWindow) {
        Matcher generations = GENERATIONS.matcher(givenUrl);
        Duration rotateEvery = generations.find() ? duration(generations.group(2)) : null;
        String url = generations.replaceFirst("$1").replaceFirst("[?&]$", "");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setPoolName("semel");
        String user = System.getenv("SEMEL_STORE_USER");
        String password = System.getenv("SEMEL_STORE_PASSWORD");
        if (user != null && !url.startsWith("jdbc:sqlite:")) {
            config.setUsername(user);
            config.setPassword(password);
        }
        HikariDataSource pool = pool(config);
        try {
            JdbcKeyStore.Builder store = JdbcKeyStore.builder(pool).createIfMissing();
            if (rotateEvery != null) {
                store.generations(rotateEvery);
            }
            if (auditWindow != null) {
                store.auditWindow(auditWindow);
            }
            return new OpenStore(store.build(), pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private static Duration duration(String text) {
        try {
            return Parse.duration(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("store: generations: " + e.getMessage());
        }
    }

    private static HikariDataSource pool(HikariConfig config) {
        String prefix = "jdbc:" + SQLITE;
        if (config.getJdbcUrl().startsWith(prefix)) {
            DatabaseFile.protect(config.getJdbcUrl().substring(prefix.length()));
        }
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new StoreUnavailableException(
                    "cannot open the store " + redacted(config.getJdbcUrl()) + ": "
                            + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    e);
        }
    }

    /** What sort of store a URL names, in one word. */
    public static String kind(String url) {
        String scheme = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        return scheme.replaceFirst("[^a-z0-9].*", "");
    }

    /** The URL without user name, password or parameters, for people and logs. */
    public static String redacted(String url) {
        String shown = Secrets.url(url);
        int query = shown.indexOf('?');
        return query < 0 ? shown : shown.substring(0, query);
    }
}
