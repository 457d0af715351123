package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.messaging.Backoff;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Rows of an outbox as 0.1.0 writes them, in a file that never changes: relays of later releases deliver them. */
class FirstReleaseOutboxTest extends OutboxFixture {

    private static final String FILE = "0.1.0/outbox.sql";
    private static final OutboxMessage FIRST = OutboxMessage.of("shop", "first")
            .withAggregate("order-1")
            .withKey("k-1")
            .withContentType("text/plain")
            .withHeader("trace", "t 1, \"quoted\" {}")
            .withHeader("empty", "");
    private static final OutboxMessage BEHIND =
            OutboxMessage.of("shop", "behind it").withAggregate("order-1").withKey("k-2");
    private static final OutboxMessage BINARY =
            OutboxMessage.of("shop", new byte[] {0, -1, 39, 92}).withKey("k-3");
    private static final OutboxMessage DEAD = OutboxMessage.of("mail", "given up")
            .withKey("k-4")
            .withContentType("text/plain")
            .withHeader("trace", "t 4");

    private final List<Delivery> delivered = new CopyOnWriteArrayList<>();

    @Test
    void deliversWhatTheFirstReleaseHadNotDelivered() throws Exception {
        execute(read(FILE).split(";\n"));

        start(relay("shop", this::note));

        await().until(() -> waiting() == 0);
        assertThat(delivered).extracting(Delivery::key).containsExactlyInAnyOrder("k-1", "k-2", "k-3");
        assertThat(delivered.stream().map(Delivery::key).filter(key -> !key.equals("k-3")))
                .as("in their order")
                .containsExactly("k-1", "k-2");
        assertThat(delivered).allSatisfy(FirstReleaseOutboxTest::assertWhole);
        assertThat(delivered)
                .filteredOn(delivery -> delivery.key().equals("k-1"))
                .as("it had been tried")
                .allSatisfy(delivery -> assertThat(delivery.attempt()).isGreaterThan(1));
    }

    @Test
    void revivesWhatTheFirstReleaseHadGivenUp() throws Exception {
        execute(read(FILE).split(";\n"));

        DeadMessage dead = outbox.dead(10).get(0);
        assertThat(outbox.dead(10)).hasSize(1);
        assertThat(dead.attempts()).isEqualTo(1);
        assertThat(dead.error()).contains("no such address");
        assertThat(outbox.revive(dead.id())).isTrue();
        start(relay("mail", this::note));

        await().until(() -> delivered.size() == 1);
        assertWhole(delivered.get(0));
    }

    /** Once a release has it, the script stays as it is but for its comments: the next change of the tables is another one. */
    @Test
    void theTablesOfTheFirstReleaseStayAsTheyAre() throws IOException, NoSuchAlgorithmException {
        String script = read("version-1.sql").replaceAll("(?m)[ \\t]*--.*$", "").replaceAll("\\n+", "\n");
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));

        assertThat(HexFormat.of().formatHex(sha256, 0, 8)).isEqualTo("bc57190dfb2d1004");
    }

    private CompletableFuture<Void> note(Delivery delivery) {
        delivered.add(delivery);
        return CompletableFuture.completedFuture(null);
    }

    private static void assertWhole(Delivery delivery) {
        OutboxMessage sent = List.of(FIRST, BEHIND, BINARY, DEAD).stream()
                .filter(message -> message.key().equals(delivery.key()))
                .findFirst()
                .orElseThrow();
        assertThat(delivery.message()).usingRecursiveComparison().isEqualTo(sent);
    }

    /** Writes the file down: before a release in which the tables are new. */
    @Test
    @EnabledIfSystemProperty(named = "outbox.written", matches = ".+")
    void write() throws Exception {
        add(OutboxMessage.of("shop", "delivered").withKey("k-0"));
        OutboxRelay relay = start(relay("shop", this::note));
        await().until(() -> waiting() == 0);
        relay.close();
        add(FIRST, BEHIND, BINARY, DEAD);
        start(relay("mail", delivery -> {
            throw new UndeliverableException("no such address", null);
        }));
        OutboxRelay failing = start(outbox.relay()
                .backoff(new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10)))
                .poll(Duration.ofMillis(100))
                .destination("shop", delivery -> {
                    if (delivery.key().equals("k-3")) {
                        throw new RetryLaterException("closed", Duration.ofSeconds(10), null);
                    }
                    throw new IllegalStateException("down");
                }));
        await().until(() -> outbox.dead(10).size() == 1
                && number("SELECT count(*) FROM semel_outbox WHERE error IS NOT NULL AND done_at IS NULL") >= 2
                && number("SELECT count(*) FROM semel_outbox WHERE due_at = 'infinity'") == 1);
        failing.close();
        Path file = Path.of(System.getProperty("outbox.written")).resolve(FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                inserts("semel_outbox") + inserts("semel_outbox_dead") + inserts("semel_outbox_relay")
                        + "SELECT setval('semel_outbox_id', 100);\n");
    }

    private String inserts(String table) throws SQLException {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            StringJoiner texts = new StringJoiner(", ");
            try (ResultSet none = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
                ResultSetMetaData columns = none.getMetaData();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    texts.add(columns.getColumnName(i) + "::text AS " + columns.getColumnName(i));
                }
            }
            try (ResultSet rows = statement.executeQuery("SELECT " + texts + " FROM " + table + " ORDER BY 1")) {
                while (rows.next()) {
                    dump.append(insert(table, rows));
                }
            }
        }
        return dump.toString();
    }

    private static String insert(String table, ResultSet row) throws SQLException {
        StringJoiner names = new StringJoiner(", ");
        StringJoiner values = new StringJoiner(",\n    ");
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            String value = row.getString(i);
            if (value != null) {
                names.add(row.getMetaData().getColumnName(i));
                values.add("'" + value.replace("'", "''") + "'");
            }
        }
        return "INSERT INTO " + table + " (" + names + ") VALUES (\n    " + values + ");\n";
    }

    private static String read(String resource) throws IOException {
        try (InputStream in = FirstReleaseOutboxTest.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
