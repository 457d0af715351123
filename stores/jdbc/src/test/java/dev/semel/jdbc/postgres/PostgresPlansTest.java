package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The plans of a session that first saw the table empty, and known to be empty, are right when it is full. */
class PostgresPlansTest {

    private static final int KEYS = 8_000;
    private static final int CALLS_BEFORE_A_PLAN_IS_KEPT = 8;

    /** The table has more than a thousand blocks by then. */
    private static final int FEW_BLOCKS = 150;

    private static final Pattern HITS = Pattern.compile("Buffers: shared hit=(\\d+)");

    static final List<String> CALLS = List.of(
            "semel_key_claim(0, ARRAY[digest], ARRAY[nonce], ARRAY[fingerprint], ARRAY[1000], ARRAY[true],"
                    + " ARRAY[namespace], ARRAY[scope], ARRAY[key], ARRAY[operation], ARRAY[trace_id], ARRAY[retention])",
            "semel_key_claim(0, ARRAY[gen_random_uuid()], ARRAY[nonce], ARRAY[fingerprint], ARRAY[1000], ARRAY[true],"
                    + " ARRAY[namespace], ARRAY[scope], ARRAY[key], ARRAY[operation], ARRAY[trace_id], ARRAY[retention])",
            "semel_key_claim(2, ARRAY[gen_random_uuid()], ARRAY[nonce], ARRAY[fingerprint], ARRAY[1000], ARRAY[true],"
                    + " ARRAY[namespace], ARRAY[scope], ARRAY[key], ARRAY[operation], ARRAY[trace_id], ARRAY[retention])",
            "semel_key_renew(ARRAY[digest], ARRAY[owner], ARRAY[token], ARRAY[1000000])",
            "semel_key_step(ARRAY[digest], ARRAY[owner], ARRAY[token], ARRAY['x'::bytea])",
            "semel_key_settle(ARRAY[digest], ARRAY[owner], ARRAY[token], ARRAY[2::smallint], ARRAY[200::smallint],"
                    + " ARRAY[1::smallint], ARRAY[1000], ARRAY[NULL::bigint], ARRAY[NULL::bigint],"
                    + " ARRAY[NULL::bytea], ARRAY['x'::bytea])",
            "semel_key_claim_one((ARRAY[digest])[1], (ARRAY[nonce])[1], (ARRAY[fingerprint])[1], 1000, true,"
                    + " 'x', 'x', 'x', 'x', 'x', 'x')",
            "semel_key_claim_one(gen_random_uuid(), (ARRAY[nonce])[1], (ARRAY[fingerprint])[1], 1000, true,"
                    + " 'x', 'x', 'x', 'x', 'x', 'x')",
            "semel_key_settle_one((ARRAY[digest])[1], (ARRAY[owner])[1], (ARRAY[token])[1], 2::smallint, 200::smallint,"
                    + " 1::smallint, 1000, NULL, NULL, NULL, 'x')",
            "semel_key_settle_joined((ARRAY[digest])[1], (ARRAY[owner])[1], (ARRAY[token])[1], 2::smallint, 200::smallint,"
                    + " 1::smallint, 1000, NULL, NULL, NULL, 'x')",
            "semel_key_held(ARRAY[digest])",
            "semel_key_mark(ARRAY[digest], ARRAY[owner], ARRAY[token], ARRAY[4::smallint])");

    private static HikariDataSource oneSession;

    @BeforeAll
    static void fillATableThatWasEmpty() throws SQLException {
        oneSession = TestPostgres.pool(TestPostgres.newDatabase(), 1);
        try (JdbcKeyStore store =
                JdbcKeyStore.builder(oneSession).createIfMissing().build()) {
            TestPostgres.execute(
                    oneSession, "ALTER TABLE semel_key SET (autovacuum_enabled = false)", "VACUUM ANALYZE semel_key");
            makePlans(store);
            List<CompletableFuture<Claim>> claims = IntStream.range(0, KEYS)
                    .mapToObj(i -> store.claim(request(i)).toCompletableFuture())
                    .toList();
            assertThat(claims).allMatch(claim -> claim.join() instanceof Claim.Acquired);
        }
    }

    /**
     * Calls each function, on the session that all tests use, while there is nothing in the table but one key, and often
     * enough for the server to keep a plan.
     */
    private static void makePlans(JdbcKeyStore store) throws SQLException {
        ClaimRequest only = request(KEYS);
        store.claim(only).toCompletableFuture().join();
        try (Connection connection = oneSession.getConnection();
                Statement statement = connection.createStatement()) {
            for (String call : CALLS) {
                String literal = literals(statement, call, only.key().digest().asUuid());
                for (int i = 0; i < CALLS_BEFORE_A_PLAN_IS_KEPT; i++) {
                    statement.execute("BEGIN; SELECT * FROM " + literal + "; ROLLBACK");
                }
            }
        }
    }

    @AfterAll
    static void disconnect() {
        oneSession.close();
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void aCallTouchesFewBlocksHoweverManyThereAre(String call) throws SQLException {
        UUID digest =
                request(Math.floorMod(call.hashCode(), KEYS)).key().digest().asUuid();
        try (Connection connection = oneSession.getConnection();
                Statement statement = connection.createStatement()) {
            String literal = literals(statement, call, digest);
            statement.execute("SELECT * FROM " + literal);

            int touched = blocks(statement, "EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM " + literal);

            assertThat(blocks(statement, "EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM semel_key WHERE state = 0"))
                    .isGreaterThan(FEW_BLOCKS);
            assertThat(touched).isLessThan(FEW_BLOCKS);
        }
    }

    /** The call with the columns of one key as constants, so that nothing but the call itself is measured. */
    private static String literals(Statement statement, String call, UUID digest) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT * FROM semel_key WHERE digest = '" + digest + "'")) {
            assertThat(row.next()).isTrue();
            return call.replace("[digest]", "['" + digest + "'::uuid]")
                    .replace("[nonce]", "['" + UUID.randomUUID() + "'::uuid]")
                    .replace("[owner]", "['" + row.getString("nonce") + "'::uuid]")
                    .replace("[token]", "[" + row.getLong("token") + "::bigint]")
                    .replace("[1000]", "[1000::bigint]")
                    .replace("[1000000]", "[1000000::bigint]")
                    .replace("[fingerprint]", "['" + row.getString("fingerprint") + "'::bytea]")
                    .replaceAll("\\[(namespace|scope|key|operation|trace_id|retention)]", "['x'::text]");
        }
    }

    private static int blocks(Statement statement, String explain) throws SQLException {
        try (ResultSet rows = statement.executeQuery(explain)) {
            while (rows.next()) {
                Matcher hits = HITS.matcher(rows.getString(1));
                if (hits.find()) {
                    return Integer.parseInt(hits.group(1));
                }
            }
        }
        throw new AssertionError("no buffers in " + explain);
    }

    private static ClaimRequest request(int number) {
        return ClaimRequest.builder(Key.of("tenant", "key-" + number), "charge", Fingerprint.of("body"))
                .nonce(UUID.nameUUIDFromBytes(new byte[] {(byte) number, (byte) (number >> 8)}))
                .lease(Duration.ofMinutes(10))
                .build();
    }
}
