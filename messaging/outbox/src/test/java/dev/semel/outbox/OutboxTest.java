package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.semel.store.StoreException;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteDataSource;

/** What is added with a transaction, and how it is delivered. */
class OutboxTest extends OutboxFixture {

    private final List<Delivery> delivered = new CopyOnWriteArrayList<>();

    private CompletableFuture<Void> note(Delivery delivery) {
        delivered.add(delivery);
        return CompletableFuture.completedFuture(null);
    }

    private static String text(Delivery delivery) {
        return new String(delivery.message().payload(), StandardCharsets.UTF_8);
    }

    private List<String> texts() {
        return delivered.stream().map(OutboxTest::text).toList();
    }

    @Test
    void deliversWhatWasCommittedAndNothingElse() throws Exception {
        OutboxMessage kept = OutboxMessage.of("shop", "kept")
                .withAggregate("order-1")
                .withKey("k-1")
                .withContentType("text/plain")
                .withHeader("trace", "t 1")
                .withHeader("empty", "");
        add(kept);
        assertThatThrownBy(() -> SqlTransaction.inTransaction(pool, connection -> {
                    outbox.add(connection, OutboxMessage.of("shop", "rolled back"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        start(relay("shop", this::note));

        await().until(() -> waiting() == 0);
        assertThat(delivered).hasSize(1);
        Delivery delivery = delivered.get(0);
        assertThat(delivery.key()).isEqualTo("k-1");
        assertThat(delivery.attempt()).isOne();
        assertThat(delivery.message().aggregate()).isEqualTo("order-1");
        assertThat(delivery.message().contentType()).isEqualTo("text/plain");
        assertThat(delivery.message().headers()).isEqualTo(Map.of("trace", "t 1", "empty", ""));
        assertThat(text(delivery)).isEqualTo("kept");
    }

    @Test
    void refusesAMessageOutsideOfATransaction() throws Exception {
        try (Connection connection = pool.getConnection()) {
            assertThatThrownBy(() -> outbox.add(connection, OutboxMessage.of("shop", "x")))
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThatThrownBy(() -> OutboxMessage.of("shop", "x").withKey("ä")).hasMessageContaining("ä");
        assertThatThrownBy(() -> OutboxMessage.of("shop", "x").withHeader("a b", "c"))
                .hasMessageContaining("a b");
        assertThatThrownBy(() -> OutboxMessage.of("shop", "x").withHeader("a", "b\nc"))
                .hasMessageContaining("a");
    }

    @Test
    void saysWhatItNeedsOnAnotherDatabase() {
        SQLiteDataSource other = new SQLiteDataSource();
        other.setUrl("jdbc:sqlite::memory:");

        assertThatThrownBy(() -> Outbox.builder(other).createIfMissing().build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("needs PostgreSQL, but this is SQLite")
                .hasMessageContaining("attempt.childKey()");
    }

    @Test
    void waitsForAsLongAsTheDestinationAsks() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        add(OutboxMessage.of("shop", "a1").withAggregate("a"), OutboxMessage.of("shop", "b1"));

        start(relay("shop", delivery -> {
            if (text(delivery).equals("a1")) {
                tries.incrementAndGet();
                throw new RetryLaterException("closed until noon", Duration.ofMinutes(50), null);
            }
            return note(delivery);
        }));

        await().until(() ->
                waiting() == 1 && number("SELECT max(attempts) FROM semel_outbox WHERE done_at IS NULL") == 1);
        assertThat(number("SELECT count(*) FROM semel_outbox WHERE done_at IS NULL"
                        + " AND due_at > clock_timestamp() + interval '45 min'"))
                .isOne();
        assertThat(texts()).containsExactly("b1");
        assertThat(tries).hasValue(1);
    }

    @Test
    void aBacklogBehindOneFailingMessageIsNotLookedAtForOthers() throws Exception {
        int backlog = 3_000;
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger failures = new AtomicInteger();
        add(IntStream.range(0, backlog)
                .mapToObj(i -> OutboxMessage.of("shop", "" + i).withAggregate("stuck"))
                .toArray(OutboxMessage[]::new));
        start(relay("shop", delivery -> {
            if (down.get() && "stuck".equals(delivery.message().aggregate())) {
                failures.incrementAndGet();
                throw new IllegalStateException("down");
            }
            return note(delivery);
        }));
        await().until(() -> failures.get() > 1);

        assertThat(rowsLookedAtForHeads()).isLessThan(backlog / 10);
        add(OutboxMessage.of("shop", "other").withAggregate("b"));
        await().until(() -> texts().equals(List.of("other")));

        delivered.clear();
        down.set(false);
        await().until(() -> waiting() == 0);
        assertThat(texts())
                .containsExactlyElementsOf(
                        IntStream.range(0, backlog).mapToObj(Integer::toString).toList());
    }

    private double rowsLookedAtForHeads() throws Exception {
        return rowsLookedAt(WaitingMessages.HEADS, explain -> {
            explain.setString(1, "shop");
            explain.setInt(2, 100);
            explain.setString(3, "shop");
        });
    }

    @Test
    void whatIsDoneIsNotLookedAtToMarkWhatWasDelivered() throws Exception {
        int done = 50_000;
        execute(
                "INSERT INTO semel_outbox (destination, key, headers, payload, done_at)"
                        + " SELECT 'shop', n::text, '{}', '', clock_timestamp() FROM generate_series(1, " + done
                        + ") n",
                "INSERT INTO semel_outbox (destination, aggregate, key, headers, payload, due_at)"
                        + " SELECT 'shop', 'a', n::text, '{}', '', CASE WHEN n > 5 THEN 'infinity' ELSE '-infinity' END"
                        + "::timestamptz FROM generate_series(1, 10) n",
                "ANALYZE semel_outbox");
        Long[] ids = new Long[10];
        Arrays.setAll(ids, i -> done + 1L + i);

        assertThat(rowsLookedAt(WaitingMessages.DELIVERED, update -> {
                    update.setString(1, "shop");
                    update.setArray(2, update.getConnection().createArrayOf("int8", ids));
                }))
                .isBetween(10.0, 100.0);
        assertThat(rowsLookedAt(WaitingMessages.FAILED, update -> {
                    update.setString(1, "down");
                    update.setLong(2, 1);
                    update.setString(3, "shop");
                    update.setLong(4, ids[9]);
                }))
                .isBetween(1.0, 100.0);
        assertThat(rowsLookedAt(WaitingMessages.DEAD, update -> {
                    update.setString(1, "down");
                    update.setString(2, "shop");
                    update.setLong(3, ids[0]);
                }))
                .isBetween(1.0, 100.0);
    }

    private interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    /** How many rows all steps of the statement's plan have seen. What it does is rolled back. */
    private double rowsLookedAt(String statement, Parameters parameters) throws Exception {
        Pattern counts = Pattern.compile("actual .*?rows=([0-9.]+) loops=([0-9]+)|Rows Removed by .*: ([0-9]+)");
        String sql = new OutboxName("public", "semel_outbox").in(statement);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            double rows = 0;
            try (PreparedStatement explain = connection.prepareStatement("EXPLAIN (ANALYZE, TIMING OFF) " + sql)) {
                connection.createStatement().execute(WaitingMessages.SETTINGS);
                parameters.set(explain);
                try (ResultSet lines = explain.executeQuery()) {
                    while (lines.next()) {
                        Matcher count = counts.matcher(lines.getString(1));
                        if (count.find()) {
                            rows += count.group(1) == null
                                    ? Double.parseDouble(count.group(3))
                                    : Double.parseDouble(count.group(1)) * Double.parseDouble(count.group(2));
                        }
                    }
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            return rows;
        }
    }

    @Test
    void deliversWhatCommitsLateWithALowerNumber() throws Exception {
        start(relay("shop", this::note));
        try (Connection late = pool.getConnection()) {
            late.setAutoCommit(false);
            outbox.add(late, OutboxMessage.of("shop", "late").withAggregate("a"));
            add(OutboxMessage.of("shop", "early").withAggregate("a"));
            await().until(() -> texts().equals(List.of("early")));
            late.commit();
            late.setAutoCommit(true);
        }
        await().until(() -> texts().equals(List.of("early", "late")));
    }

    @Test
    void severalRelaysDeliverEachMessageOnceAndInOrder() throws Exception {
        int aggregates = 20;
        int each = 50;
        Map<String, List<Integer>> received = new ConcurrentHashMap<>();
        Destination shaky = delivery -> CompletableFuture.runAsync(() -> {
            if (ThreadLocalRandom.current().nextInt(20) == 0) {
                throw new IllegalStateException("try again");
            }
            received.computeIfAbsent(
                            String.valueOf(delivery.message().aggregate()), name -> new CopyOnWriteArrayList<>())
                    .add(Integer.parseInt(text(delivery)));
        });
        for (int relay = 0; relay < 3; relay++) {
            start(relay("shop", shaky).batch(7));
        }
        for (int number = 0; number < each; number++) {
            OutboxMessage[] messages = new OutboxMessage[aggregates];
            for (int aggregate = 0; aggregate < aggregates; aggregate++) {
                messages[aggregate] = OutboxMessage.of("shop", "" + number).withAggregate("a" + aggregate);
            }
            add(messages);
        }

        await().until(() -> waiting() == 0);
        assertThat(received).hasSize(aggregates);
        assertThat(received.values())
                .allSatisfy(numbers -> assertThat(numbers)
                        .containsExactlyElementsOf(
                                IntStream.range(0, each).boxed().toList()));
    }

    @Test
    void aFailureHoldsItsAggregateBackAndNoOther() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        Map<String, Integer> keys = new ConcurrentHashMap<>();
        add(
                OutboxMessage.of("shop", "a1").withAggregate("a").withKey("first"),
                OutboxMessage.of("shop", "a2").withAggregate("a"),
                OutboxMessage.of("shop", "b1").withAggregate("b"),
                OutboxMessage.of("shop", "none"));

        start(relay("shop", delivery -> {
            if (text(delivery).equals("a1")) {
                keys.merge(delivery.key(), 1, Integer::sum);
                if (down.get()) {
                    throw new IllegalStateException("down");
                }
            }
            return note(delivery);
        }));

        await().until(() -> keys.getOrDefault("first", 0) > 3);
        assertThat(texts()).containsExactlyInAnyOrder("b1", "none");
        down.set(false);
        await().until(() -> waiting() == 0);
        assertThat(texts()).endsWith("a1", "a2").hasSize(4);
        assertThat(keys).containsOnlyKeys("first");
    }

    @Test
    void messagesThatAreGivenUpWaitForADecision() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        AtomicBoolean open = new AtomicBoolean();
        add(
                OutboxMessage.of("shop", "refused").withAggregate("a").withKey("r"),
                OutboxMessage.of("shop", "failing").withAggregate("a").withKey("f"),
                OutboxMessage.of("shop", "good").withAggregate("a"));

        start(relay("shop", delivery -> {
                    if (open.get() || text(delivery).equals("good")) {
                        return note(delivery);
                    }
                    tries.incrementAndGet();
                    return CompletableFuture.failedFuture(
                            text(delivery).equals("refused")
                                    ? new UndeliverableException("no such shop", null)
                                    : new IllegalStateException("busy"));
                })
                .maxAttempts(3));

        await().until(() -> waiting() == 0);
        assertThat(texts()).containsExactly("good");
        assertThat(tries).hasValue(1 + 3);
        List<DeadMessage> dead = outbox.dead(10);
        assertThat(dead).extracting(each -> each.message().key()).containsExactly("r", "f");
        assertThat(dead).extracting(DeadMessage::attempts).containsExactly(1, 3);
        assertThat(dead.get(0).error()).contains("no such shop");

        open.set(true);
        assertThat(outbox.discard(dead.get(0).id())).isTrue();
        assertThat(outbox.revive(dead.get(1).id())).isTrue();
        assertThat(outbox.revive(dead.get(1).id())).isFalse();
        await().until(() -> texts().equals(List.of("good", "failing")));
        assertThat(delivered.get(1).key()).isEqualTo("f");
        assertThat(outbox.dead(10)).isEmpty();
    }

    @Test
    void aMessageThatTheReceiverMayHaveForgottenIsNotSentAgain() throws Exception {
        add(OutboxMessage.of("shop", "tried"), OutboxMessage.of("shop", "new"));
        execute("UPDATE semel_outbox SET created_at = created_at - interval '3 days'");
        execute("UPDATE semel_outbox SET attempts = 1 WHERE payload = 'tried'");

        start(relay("shop", this::note).receiverRemembers(Duration.ofDays(2)));

        await().until(() -> waiting() == 0);
        assertThat(texts()).containsExactly("new");
        assertThat(outbox.dead(10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error()).contains("forgotten", "PT48H"));
    }

    @Test
    void sendingAnOldKeyLogsAWarning() throws Exception {
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        warnings.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.semel.outbox");
        logger.addAppender(warnings);
        AtomicBoolean open = new AtomicBoolean();
        add(OutboxMessage.of("shop", "old").withKey("old-key"));
        execute("UPDATE semel_outbox SET created_at = created_at - interval '3 days', attempts = 1");

        start(relay("shop", delivery -> {
            if (!open.get()) {
                throw new UndeliverableException("no", null);
            }
            return note(delivery);
        }));
        await().until(() -> !outbox.dead(10).isEmpty());
        assertThat(warnings.list)
                .anySatisfy(event -> assertThat(event.getFormattedMessage()).contains("old-key", "forgotten"));
        warnings.list.clear();
        open.set(true);
        assertThat(outbox.revive(outbox.dead(10).get(0).id())).isTrue();

        await().until(() -> texts().equals(List.of("old")));
        logger.detachAppender(warnings);
        assertThat(warnings.list)
                .anySatisfy(event -> assertThat(event.getFormattedMessage()).contains("old-key", "forgotten"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDestinationThatBreaksFailsItsOwnDeliveryAlone(boolean throwing) throws Exception {
        add(OutboxMessage.of("shop", "bad"), OutboxMessage.of("shop", "good"));

        start(relay("shop", delivery -> {
                    if (text(delivery).equals("good")) {
                        return note(delivery);
                    }
                    if (throwing) {
                        throw new AssertionError("a bug");
                    }
                    return null;
                })
                .maxAttempts(2));

        await().until(() -> waiting() == 0);
        assertThat(texts()).containsExactly("good");
        assertThat(outbox.dead(10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.attempts()).isEqualTo(2));
    }

    @Test
    void aDeliveryThatTakesTooLongIsSentAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        add(OutboxMessage.of("shop", "slow"));

        start(relay("shop", delivery -> tries.incrementAndGet() == 1 ? new CompletableFuture<>() : note(delivery))
                .timeout(Duration.ofMillis(100)));

        await().until(() -> waiting() == 0);
        assertThat(delivered).extracting(Delivery::attempt).containsExactly(2);
    }

    @Test
    void anIdleRelayIsWokenByTheCommit() throws Exception {
        start(relay("shop", this::note).poll(Duration.ofHours(1)));
        add(OutboxMessage.of("shop", "1"));
        await().until(() -> texts().equals(List.of("1")));

        // Asleep again: nothing but a notification can wake it now.
        await().until(() ->
                number("SELECT count(*) FROM semel_outbox_relay WHERE awake_until < clock_timestamp()") == 1);
        await().pollDelay(Duration.ofMillis(200)).until(() -> true);
        add(OutboxMessage.of("shop", "2"));
        await().until(() -> texts().equals(List.of("1", "2")));
    }

    @Test
    void aStatementAndAMessageShareARoundTripAndATransaction() throws Exception {
        start(relay("shop", this::note).poll(Duration.ofHours(1)));
        execute("CREATE TABLE stock (item text PRIMARY KEY, pieces integer)", "INSERT INTO stock VALUES ('a', 9)");
        String sell = "UPDATE stock SET pieces = pieces - ? WHERE item = ? -- sold";

        int[] changed = SqlTransaction.inTransaction(pool, connection -> {
            int sold = outbox.addWith(connection, OutboxMessage.of("shop", "sold"), sell, 2, "a");
            int none = outbox.addWith(connection, OutboxMessage.of("shop", "none"), sell, 2, "b");
            Savepoint before = connection.setSavepoint();
            outbox.addWith(connection, OutboxMessage.of("shop", "undone"), sell, 4, "a");
            connection.rollback(before);
            return new int[] {sold, none};
        });

        assertThat(changed).containsExactly(1, 0);
        await().until(() -> texts().size() == 2);
        assertThat(texts()).containsExactlyInAnyOrder("sold", "none");
        assertThat(number("SELECT pieces FROM stock")).isEqualTo(7);
        assertThat(number("SELECT count(*) FROM semel_outbox")).isEqualTo(2);
    }

    @Test
    void aStatementThatReturnsRowsIsRefused() {
        assertThatThrownBy(() -> SqlTransaction.inTransaction(
                        pool,
                        connection ->
                                outbox.addWith(connection, OutboxMessage.of("shop", "x"), "SELECT ?::integer", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("returns rows");
    }

    @Test
    void writersThatKnewOfNoRelayDoNotOverlookANewOne() throws Exception {
        add(OutboxMessage.of("shop", "before"));
        start(relay("shop", this::note).poll(Duration.ofHours(1)));
        add(OutboxMessage.of("shop", "after"));
        await().until(() -> texts().size() == 2);
    }

    @Test
    void noNotificationIsSentWhileARelayIsAwake() throws Exception {
        int messages = 200;
        start(relay("shop", this::note));
        try (Connection connection = pool.getConnection()) {
            TestPostgres.execute(pool, "SELECT 1");
            connection.createStatement().execute("LISTEN semel_outbox");
            for (int i = 0; i < messages; i++) {
                add(OutboxMessage.of("shop", "" + i));
            }
            await().until(() -> waiting() == 0);
            int notifications = connection.unwrap(PGConnection.class).getNotifications(100).length;
            assertThat(notifications).isBetween(1, messages / 2);
            connection.createStatement().execute("UNLISTEN semel_outbox");
        }
    }

    @Test
    void survivesTheLossOfItsConnections() throws Exception {
        start(relay("shop", this::note));
        for (int i = 0; i < 100; i++) {
            add(OutboxMessage.of("shop", "" + i).withAggregate("a"));
            if (i == 50) {
                TestPostgres.execute(
                        TestPostgres.server().getPostgresDatabase(),
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test\\_%'");
                await().ignoreExceptions().until(() -> number("SELECT 1") == 1);
            }
        }

        await().ignoreExceptions().until(() -> waiting() == 0);
        // What was sent when the connection broke is sent once more, and can be told by its key.
        assertThat(texts().stream().distinct().toList())
                .containsExactlyElementsOf(
                        IntStream.range(0, 100).mapToObj(Integer::toString).toList());
    }
}
