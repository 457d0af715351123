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
import dev.semel.jdbc.RestoreGuard;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.redis.RedisKeyStore;
import dev.semel.sealing.Sealing;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the store that a URL names. */
public final class StoreUrls {

    private static final Logger log = LoggerFactory.getLogger(StoreUrls.class);

    private static final String SQLITE = "sqlite:";

    private static final String MYSQL = "jdbc:mysql:";

    /** The parameter for PostgreSQL that its driver does not know. */
    private static final Pattern GENERATIONS = Pattern.compile("([?&])generations=([^&]*)&?");

    /** The parameter that lets other stores make what is missing. */
    private static final Pattern CREATE = Pattern.compile("([?&])createIfMissing=[^&]*&?");

    /** The most connections that a gateway has to a database. */
    public static final int POOL_SIZE = 8;

    private static final long CONNECTION_TIMEOUT_MILLIS = 5000;

    private static final String JDBC_SQLITE = "jdbc:" + SQLITE;

    /** How often a database is looked at whether it was restored. */
    private static final Duration RESTORE_CHECK = Duration.ofSeconds(5);

    private StoreUrls() {}

    /** A store together with its resources; closing it closes both. */
    public record OpenStore(KeyStore keys, AutoCloseable base) implements AutoCloseable {

        @Override
        public void close() throws Exception {
            keys.close();
            base.close();
        }
    }

    /**
     * How a store is opened.
     *
     * @param create whether tables are made if they are missing, and the database is watched for restores, as by those who
     *     claim keys in it; otherwise nothing is written
     */
    private record Manner(boolean create, @Nullable Duration auditWindow) {}

    public static OpenStore open(String url) {
        return openPlain(url, new Manner(true, null));
    }

    /** Opens an existing store in order to claim keys in it. */
    public static OpenStore openGuarded(String url) {
        if (url.startsWith(SQLITE)) {
            requireFile(url.substring(SQLITE.length()));
        }
        return open(url);
    }

    /** Opens an existing store, and creates nothing. */
    public static OpenStore openExisting(String url, @Nullable Sealing sealing) {
        return sealed(openPlain(url, new Manner(false, null)), sealing);
    }

    /** Removes the password from a driver's message about its URL. */
    private static OpenStore openPlain(String url, Manner manner) {
        try {
            return openNamed(url, manner);
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

    private static OpenStore openNamed(String given, Manner manner) {
        String url =
                manner.create ? given : CREATE.matcher(given).replaceFirst("$1").replaceFirst("[?&]$", "");
        if (url.equals("memory:")) {
            return new OpenStore(InMemoryKeyStore.create(), () -> {});
        }
        if (url.startsWith(SQLITE) && url.length() > SQLITE.length()) {
            return jdbc("jdbc:" + url, manner);
        }
        if (url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:mariadb:")) {
            return jdbc(url, manner);
        }
        if (url.startsWith(MYSQL)) {
            // MariaDB's driver speaks to MySQL too. MySQL's own is under the GPL, and not part of the gateway.
            return jdbc("jdbc:mariadb:" + url.substring(MYSQL.length()), manner);
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
                        + " jdbc:mysql://HOST/DATABASE, redis://HOST, dynamodb:TABLE, cassandra://HOST/KEYSPACE,"
                        + " etcd://HOST or memory:, got \""
                        + redacted(url) + "\"");
    }

    /** Opens the store, and seals what it keeps. */
    public static OpenStore open(String url, @Nullable Sealing sealing) {
        return open(url, sealing, null);
    }

    /** The same with an audit window, for a store in PostgreSQL. */
    public static OpenStore open(String url, @Nullable Sealing sealing, @Nullable Duration auditWindow) {
        return sealed(openPlain(url, new Manner(true, auditWindow)), sealing);
    }

    private static OpenStore sealed(OpenStore store, @Nullable Sealing sealing) {
        return sealing == null ? store : new OpenStore(sealing.around(store.keys()), store.base());
    }

    private static OpenStore jdbc(String givenUrl, Manner manner) {
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
        HikariDataSource pool = pool(config, manner);
        try {
            JdbcKeyStore.Builder store = JdbcKeyStore.builder(pool);
            if (!manner.create) {
                return new OpenStore(store.build(), pool);
            }
            if (rotateEvery != null) {
                store.generations(rotateEvery);
            }
            if (manner.auditWindow != null) {
                store.auditWindow(manner.auditWindow);
            }
            JdbcKeyStore keys = store.createIfMissing().build();
            return new OpenStore(guarded(keys, pool, url), pool);
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

    /** A database in which this user may not make the table is used all the same, as it was set up. */
    private static KeyStore guarded(JdbcKeyStore keys, HikariDataSource pool, String url) {
        try {
            return RestoreGuard.around(keys, pool, besideDatabase(url), RESTORE_CHECK);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (StoreException e) {
            log.warn("that the database is restored from an older copy would not be noticed: {}", e.getMessage());
            return keys;
        }
    }

    /** The file that remembers the progress of a SQLite database; {@code null} for other databases. */
    private static @Nullable Path besideDatabase(String url) {
        return url.startsWith(JDBC_SQLITE)
                ? DatabaseFile.of(url.substring(JDBC_SQLITE.length()))
                        .map(file -> file.resolveSibling(file.getFileName() + "-epoch"))
                        .orElse(null)
                : null;
    }

    /** Whether a URL names a SQLite database that is not there yet. */
    public static boolean isMissingFile(String url) {
        return url.startsWith(SQLITE)
                && DatabaseFile.of(url.substring(SQLITE.length()))
                        .filter(file -> !Files.isRegularFile(file))
                        .isPresent();
    }

    /** SQLite would make the file of a path that was mistyped. */
    private static void requireFile(String location) {
        DatabaseFile.of(location).filter(file -> !Files.isRegularFile(file)).ifPresent(missing -> {
            throw new ConfigException("store: there is no database " + missing + "; check the path after " + SQLITE);
        });
    }

    private static HikariDataSource pool(HikariConfig config, Manner manner) {
        if (config.getJdbcUrl().startsWith(JDBC_SQLITE)) {
            String location = config.getJdbcUrl().substring(JDBC_SQLITE.length());
            if (manner.create) {
                DatabaseFile.protect(location);
            } else {
                requireFile(location);
            }
            // A log of 40 MB instead of 4: a page that many keys change is written back once for all of them.
            config.setConnectionInitSql("PRAGMA wal_autocheckpoint = 10000");
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

    /** The type of the store that a URL names, in one word. */
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
