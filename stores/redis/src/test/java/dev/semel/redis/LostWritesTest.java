package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.RedisProcess;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica becomes the master that does not have the last writes which the old one had acknowledged. */
class LostWritesTest {

    private static final int BUCKET = 10;
    private static final Key BEFORE = Caller.keyIn(BUCKET, 1);
    private static final Key LOST = Caller.keyIn(BUCKET, 2);
    private static final Key AFTER = Caller.keyIn(BUCKET, 3);

    private final RedisProcess master = RedisProcess.start("enable-debug-command yes");
    private final RedisProcess replica =
            RedisProcess.start("enable-debug-command yes", "replicaof 127.0.0.1 " + master.port());
    private final Switchboard switchboard = new Switchboard(master.port());
    private Caller node;

    @BeforeEach
    void connect() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> replica.ask(server -> server.info("replication")).contains("master_link_status:up"));
        node = new Caller(
                RedisKeyStore.builder(switchboard.url()).createIfMissing().build());
    }

    @AfterEach
    void close() {
        node.close();
        switchboard.close();
        master.close();
        replica.close();
    }

    @Test
    void aLostClaimIsNoticed() {
        node.acquire(BEFORE);
        promote();
        node.acquire(LOST);

        switchboard.switchTo(replica.port());

        assertThatThrownBy(() -> claimOnceReachable(node, LOST))
                .isInstanceOf(MemoryLostException.class)
                .hasMessageContaining("has lost writes of bucket 10 that it had acknowledged");
    }

    @Test
    void aLostOutcomeIsNoticed() {
        Lease lease = node.acquire(BEFORE);
        promote();
        node.settle(lease);

        switchboard.switchTo(replica.port());

        assertThatThrownBy(() -> claimOnceReachable(node, BEFORE)).isInstanceOf(MemoryLostException.class);
    }

    /** The newcomer cannot know; but its writes must not hide the loss from the node that does. */
    @Test
    void aLossIsNoticedAlthoughOthersHaveWrittenSince() {
        node.acquire(BEFORE);
        promote();
        node.acquire(LOST);
        try (Caller newcomer = new Caller(RedisKeyStore.connect(replica.url()))) {
            newcomer.settle(newcomer.acquire(AFTER));

            switchboard.switchTo(replica.port());
            assertThatThrownBy(() -> claimOnceReachable(node, LOST)).isInstanceOf(MemoryLostException.class);

            assertThatThrownBy(() -> newcomer.claim(AFTER)).isInstanceOf(MemoryLostException.class);
        }
    }

    /** Only the first of two failovers lost something, and since then others have written for long enough to hide it. */
    @Test
    void aLossIsNoticedAfterAnotherFailover() {
        node.acquire(BEFORE);
        promote();
        node.acquire(LOST);
        try (Caller newcomer = new Caller(RedisKeyStore.connect(replica.url()))) {
            newcomer.settle(newcomer.acquire(AFTER));
            beginTerm(replica, newcomer);

            switchboard.switchTo(replica.port());

            assertThatThrownBy(() -> claimOnceReachable(node, LOST)).isInstanceOf(MemoryLostException.class);
        }
    }

    /** An operation that was under way during the failover ends after it. */
    @Test
    void aSettleDoesNotHideThatAClaimWasLost() {
        Lease lease = node.acquire(BEFORE);
        promote();
        node.acquire(LOST);

        switchboard.switchTo(replica.port());

        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> node.settle(lease));
        assertThatThrownBy(() -> node.claim(LOST)).isInstanceOf(MemoryLostException.class);
    }

    @Test
    void aReleaseDoesNotHideThatAClaimWasLost() {
        Lease lease = node.acquire(BEFORE);
        promote();
        node.acquire(LOST);

        switchboard.switchTo(replica.port());

        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> Caller.answer(node.store().release(lease)));
        assertThatThrownBy(() -> node.claim(LOST)).isInstanceOf(MemoryLostException.class);
    }

    /** A process that was idle all the time has nothing to complain of. */
    @Test
    void failoversThatLoseNothingGoUnnoticedHoweverManyThereAre() {
        node.acquire(BEFORE);
        try (Caller other = new Caller(RedisKeyStore.connect(master.url()))) {
            for (int i = 0; i < 10; i++) {
                beginTerm(master, other);
            }
        }

        assertThat(node.claim(BEFORE)).isInstanceOf(Claim.InFlight.class);
    }

    /** What a server knows of itself after a failover to it, once a caller has claimed there. */
    private static void beginTerm(RedisProcess server, Caller caller) {
        server.ask(redis -> redis.dispatch(
                CommandType.DEBUG,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).add("CHANGE-REPL-ID")));
        String id = value(server, "master_replid").substring(0, 16);
        await().until(() -> {
            caller.claim(AFTER);
            return server.ask(redis -> redis.getrange(Caller.marker(BUCKET), 34, 49))
                    .equals(id);
        });
    }

    @Test
    void anAcknowledgedLossOfWritesOpensTheBucketAndKeepsTheRest() {
        node.settle(node.acquire(BEFORE));
        promote();
        Lease lost = node.acquire(LOST);
        switchboard.switchTo(replica.port());
        assertThatThrownBy(() -> claimOnceReachable(node, LOST)).isInstanceOf(MemoryLostException.class);

        await().atMost(Duration.ofSeconds(30)).until(node::isConnected);
        assertThat(Caller.answer(node.store().acknowledgeLoss())).isEqualTo(1);

        assertThat(node.claim(BEFORE)).isInstanceOf(Claim.Settled.class);
        assertThat(node.acquire(LOST).token()).isGreaterThan(lost.token());
    }

    @Test
    void aFailoverThatLosesNothingGoesUnnoticed() {
        Lease lease = node.acquire(BEFORE);
        promote();

        switchboard.switchTo(replica.port());

        assertThat(claimOnceReachable(node, BEFORE)).isInstanceOf(Claim.InFlight.class);
        assertThat(node.settle(lease)).isTrue();
        node.acquire(AFTER);
    }

    /** What waits for its replicas fails instead of being lost. */
    @Test
    void aWriteThatNoReplicaConfirmsFails() {
        try (Caller waiting = new Caller(RedisKeyStore.builder(switchboard.url())
                .replicas(1)
                .timeout(Duration.ofSeconds(2))
                .build())) {
            waiting.acquire(BEFORE);
            promote();

            assertThatThrownBy(() -> waiting.claim(LOST))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("0 of 1 replicas");

            switchboard.switchTo(replica.port());
            master.ask(server -> server.replicaof("127.0.0.1", replica.port()));
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .until(() -> waiting.claim(AFTER) instanceof Claim.InFlight
                            || waiting.claim(AFTER) instanceof Claim.Acquired);
        }
    }

    /** Nobody was told of that write, so its loss is no reason to refuse anything. */
    @Test
    void aReadThatSawAnUnconfirmedWriteDoesNotComplainOfItsLoss() {
        try (Caller waiting = new Caller(RedisKeyStore.builder(switchboard.url())
                .replicas(1)
                .timeout(Duration.ofSeconds(2))
                .build())) {
            waiting.acquire(BEFORE);
            promote();
            assertThatThrownBy(() -> waiting.claim(LOST)).hasMessageContaining("0 of 1 replicas");
            assertThat(Caller.answer(waiting.store().find(LOST.digest()))).isPresent();

            switchboard.switchTo(replica.port());
            master.ask(server -> server.replicaof("127.0.0.1", replica.port()));

            assertThat(claimOnceReachable(waiting, LOST)).isInstanceOfAny(Claim.Acquired.class, Claim.InFlight.class);
        }
    }

    /** A new connection has nothing to wait for, and is told at once that its replicas have it all. */
    @Test
    void aConfirmationOverAnotherConnectionDoesNotCount() {
        try (RedisProcess ofTheReplica = RedisProcess.start("replicaof 127.0.0.1 " + replica.port());
                Caller waiting = new Caller(RedisKeyStore.builder(switchboard.url())
                        .replicas(1)
                        .timeout(Duration.ofSeconds(20))
                        .build())) {
            waiting.acquire(BEFORE);
            promote();
            await().until(() ->
                    replica.ask(server -> server.info("replication")).contains("connected_slaves:1"));
            CompletionStage<Claim> unconfirmed = waiting.store().claim(Caller.request(LOST));
            await().until(() -> master.ask(server -> server.info("clients")).contains("blocked_clients:1"));

            switchboard.switchTo(replica.port());

            assertThatThrownBy(() -> Caller.answer(unconfirmed)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    /** Clocks of servers differ; a token must grow all the same. */
    @Test
    void theTokenGrowsOnAServerWhoseClockIsBehind() {
        Lease first = node.acquire(BEFORE);
        Caller.answer(node.store().release(first));
        long ahead = first.token() + Duration.ofHours(1).toNanos() / 1000;
        master.ask(server -> server.eval(
                "return redis.call('SETRANGE', KEYS[1], 0, struct.pack('>d', ARGV[1]))",
                ScriptOutputType.INTEGER,
                new String[] {Caller.marker(BUCKET)},
                Long.toString(ahead)));

        assertThat(node.acquire(BEFORE).token()).isEqualTo(ahead + 1);
        assertThat(node.acquire(AFTER).token()).isEqualTo(ahead + 2);
    }

    /** What was written before has arrived at the replica; what is written after is lost. */
    private void promote() {
        awaitReplica();
        replica.ask(RedisCommands::replicaofNoOne);
    }

    private void awaitReplica() {
        await().until(() -> offset(master, "master_repl_offset") <= offset(replica, "slave_repl_offset"));
    }

    private static long offset(RedisProcess server, String name) {
        return Long.parseLong(value(server, name));
    }

    private static String value(RedisProcess server, String name) {
        return server.ask(redis -> redis.info("replication"))
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** While the connection is being made anew, the store is unavailable. */
    private static Claim claimOnceReachable(Caller caller, Key key) {
        Claim[] claim = new Claim[1];
        MemoryLostException[] lost = new MemoryLostException[1];
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            try {
                claim[0] = caller.claim(key);
                return true;
            } catch (MemoryLostException e) {
                lost[0] = e;
                return true;
            } catch (StoreException e) {
                return false;
            }
        });
        if (lost[0] != null) {
            throw lost[0];
        }
        return claim[0];
    }
}
