package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.PostgresDialect;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.store.StoreException;
import dev.semel.testservers.TestPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class PostgresSchemaTest {

    private static final TableName TABLE = new TableName("public", "semel_key");

    private HikariDataSource pool;

    @BeforeEach
    void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 8);
    }

    @AfterEach
    void disconnect() {
        pool.close();
    }

    @Test
    void saysWhatToRunWhenThereAreNoTables() {
        assertThatThrownBy(() -> JdbcKeyStore.builder(pool).build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no table public.semel_key")
                .hasMessageContaining("semel schema postgres")
                .hasMessageContaining("createIfMissing()");
    }

    @Test
    void saysWhatToRunWhenTheTablesAreOld() {
        new JdbcSchema(new PostgresDialect(), TABLE).createOrUpgrade(pool);

        assertThatThrownBy(() -> new JdbcSchema(next(), TABLE).check(pool))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("version 1")
                .hasMessageContaining("needs 2")
                .hasMessageContaining("semel schema postgres --from 1");
    }

    @Test
    void anUpgradeToTheNextVersionKeepsKeysAndNodesOfThisReleaseGoOn() {
        Lease pending;
        try (JdbcKeyStore old = JdbcKeyStore.builder(pool).createIfMissing().build()) {
            pending = ((Claim.Acquired) answer(old.claim(request("pending")))).lease();
            Lease settled = ((Claim.Acquired) answer(old.claim(request("settled")))).lease();
            assertThat(answer(old.settle(
                            settled, Outcome.succeeded().payload("done").build(), kept())))
                    .isTrue();

            new JdbcSchema(next(), TABLE).createOrUpgrade(pool);

            assertThat(answer(old.settle(pending, Outcome.succeeded().build(), kept())))
                    .isTrue();
        }
        new JdbcSchema(next(), TABLE).check(pool);
        try (JdbcKeyStore restarted = JdbcKeyStore.builder(pool).build()) {
            assertThat(answer(restarted.claim(request("pending")))).isInstanceOf(Claim.Settled.class);
            assertThat(answer(restarted.claim(request("settled")))).isInstanceOf(Claim.Settled.class);
            assertThat(answer(restarted.claim(request("new")))).isInstanceOf(Claim.Acquired.class);
        }
    }

    @Test
    void aScriptForAnUpgradeIsOnlyWhatIsMissing() {
        JdbcSchema schema = new JdbcSchema(next(), TABLE);

        assertThat(schema.script(0))
                .contains("CREATE TABLE public.semel_key (", "ADD COLUMN next", "FUNCTION public.semel_key_claim(")
                .doesNotContain("{", "LOCK TABLE public.semel_key_rotation");
        assertThat(schema.script(1))
                .contains("ADD COLUMN next", "FUNCTION public.semel_key_claim(")
                .doesNotContain("CREATE TABLE");
        assertThat(schema.script(2)).isEmpty();
        assertThat(schema.withGenerations().script(2))
                .contains("CREATE TABLE public.semel_key_rotation", "INSERT INTO public.semel_key_3 (")
                .doesNotContain("ADD COLUMN next", "{");
        assertThatThrownBy(() -> schema.script(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 3");
    }

    @Test
    void anUpgradeOfATableInGenerationsKeepsItsFunctions() {
        try (JdbcKeyStore old = JdbcKeyStore.builder(pool)
                .generations(Duration.ofHours(12))
                .createIfMissing()
                .build()) {
            new JdbcSchema(next(), TABLE).createOrUpgrade(pool);

            assertThat(answer(old.claim(request("new")))).isInstanceOf(Claim.Acquired.class);
        }
    }

    @Test
    void aScriptForAPlainTableIsRefusedByOneInGenerations() {
        new JdbcSchema(new PostgresDialect(), TABLE).withGenerations().createOrUpgrade(pool);

        assertThatThrownBy(() -> TestPostgres.execute(pool, new JdbcSchema(next(), TABLE).script(1)))
                .hasStackTraceContaining("public.semel_key keeps its keys in generations");
    }

    @Test
    void nodesThatStartTogetherCreateTheTablesOnce() {
        IntStream.range(0, 6)
                .parallel()
                .forEach(i ->
                        JdbcKeyStore.builder(pool).createIfMissing().build().close());

        JdbcKeyStore.builder(pool).build().close();
    }

    /** And not that the connection is closed, which is only what came of it. */
    @Test
    void saysWhyTheTablesCouldNotBeCreated() {
        DataSource dying = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Connection connection = pool.getConnection();
                    int backend = connection.unwrap(PGConnection.class).getBackendPID();
                    TestPostgres.execute(pool, "SELECT pg_terminate_backend(" + backend + ")");
                    return connection;
                });

        assertThatThrownBy(() -> new JdbcSchema(new PostgresDialect(), TABLE).createOrUpgrade(dying))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("could not create or upgrade the tables of public.semel_key")
                .hasMessageContaining("terminating connection");
    }

    @Test
    void keepsSeveralTablesApart() {
        TestPostgres.execute(pool, "CREATE SCHEMA shop");
        try (JdbcKeyStore shop = JdbcKeyStore.builder(pool)
                        .schema("shop")
                        .table("once")
                        .createIfMissing()
                        .build();
                JdbcKeyStore other =
                        JdbcKeyStore.builder(pool).createIfMissing().build()) {
            assertThat(answer(shop.claim(request("key")))).isInstanceOf(Claim.Acquired.class);
            assertThat(answer(other.claim(request("key")))).isInstanceOf(Claim.Acquired.class);
            assertThat(answer(shop.claim(request("key")))).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    void theLongestNameLeavesRoomForAllThatBelongsToTheTable() {
        String longest = "k".repeat(48);
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool)
                .table(longest)
                .generations(Duration.ofMillis(1))
                .auditWindow(Duration.ofDays(1))
                .createIfMissing()
                .build()) {
            Lease lease = ((Claim.Acquired) answer(store.claim(request("brief")))).lease();
            answer(store.settle(lease, Outcome.succeeded().build(), Retention.of(Duration.ofNanos(1000))));
            IntStream.range(0, 10).forEach(i -> answer(store.purge(100)));

            assertThat(answer(store.find(lease.digest())).orElseThrow().audited())
                    .isNotNull();
        }
        assertThatThrownBy(() -> JdbcKeyStore.builder(pool)
                        .table(longest + "k")
                        .createIfMissing()
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(longest);
    }

    @Test
    void refusesNamesThatAreNotPlainIdentifiers() {
        assertThatThrownBy(() -> JdbcKeyStore.builder(pool).table("a b").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"a b\"");
        assertThatThrownBy(() -> JdbcKeyStore.builder(pool).schema("s\"; --").build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesADatabaseThatCannotHoldEveryKey() {
        TestPostgres.execute(
                TestPostgres.server().getPostgresDatabase(),
                "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
        try (HikariDataSource latin = TestPostgres.pool("latin", 1)) {
            assertThatThrownBy(
                            () -> JdbcKeyStore.builder(latin).createIfMissing().build())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("UTF8")
                    .hasMessageContaining("LATIN1");
        }
    }

    /** The dialect of a release that comes with one more version of the schema. */
    private static SqlDialect next() {
        SqlDialect current = new PostgresDialect();
        return (SqlDialect) Proxy.newProxyInstance(
                SqlDialect.class.getClassLoader(), new Class<?>[] {SqlDialect.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("schemaVersion")) {
                        return 2;
                    }
                    try {
                        return method.invoke(current, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Retention kept() {
        return Retention.of(Duration.ofHours(1));
    }

    private static ClaimRequest request(String value) {
        return ClaimRequest.builder(Key.of("tenant", value), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
