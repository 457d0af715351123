package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several members of a group, partitions that move between them, and a broker that restarts. */
class GroupTest {

    private static final ExternalPolicy HOLD = Policy.external("ship").build();

    private final InMemoryKeyStore store = InMemoryKeyStore.builder().build();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private Group group;

    @BeforeAll
    static void beGenerousOnABusyMachine() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
    }

    @AfterEach
    void stop() throws Exception {
        group.close();
    }

    private void awaitCommitted(int partition, long offset) {
        await().untilAsserted(() -> assertThat(group.committed(partition)).isEqualTo(offset));
    }

    private void note(ConsumerRecord<String, String> record) {
        handled.add(record.value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aPartitionThatMovesWhileItsRecordRunsHasOneEffect(String protocol) throws Exception {
        group = new Group(store, 2);
        Map<String, Object> config =
                protocol.equals("classic") ? Map.of("group.protocol", protocol) : protocolConsumer();
        CountDownLatch running = new CountDownLatch(2);
        CompletableFuture<Void> end = new CompletableFuture<>();
        group.send(0, "a", "b");
        group.send(1, "c", "d");
        group.start(group.member(HOLD, config, new StringDeserializer()).handleAsync((record, attempt) -> {
            note(record);
            running.countDown();
            return end;
        }));
        running.await();

        AtomicInteger second = new AtomicInteger();
        group.start(group.member(HOLD, config, new StringDeserializer()).handle((record, attempt) -> {
            second.incrementAndGet();
            note(record);
        }));
        // The second member waits behind a record that the first is still at.
        await().until(() -> group.hasMembersWithPartitions(2));
        end.complete(null);

        awaitCommitted(0, 2);
        awaitCommitted(1, 2);
        assertThat(handled).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(second).hasPositiveValue();
    }

    /** With the newer protocol the broker decides over heartbeats and sessions. */
    private static Map<String, Object> protocolConsumer() {
        Map<String, Object> config = new HashMap<>();
        config.put("group.protocol", "consumer");
        config.put("heartbeat.interval.ms", null);
        config.put("session.timeout.ms", null);
        return config;
    }

    @ParameterizedTest
    @EnumSource(
            value = Recovery.class,
            names = {"HOLD", "RE_EXECUTE"})
    void aMemberThatSleptPastItsPollIntervalHasNoSecondEffect(Recovery recovery) throws Exception {
        group = new Group(store, 1);
        ExternalPolicy policy = Policy.external("ship").recovery(recovery).build();
        Map<String, Object> impatient = Map.of("max.poll.interval.ms", "1000", "max.poll.records", "10");
        AtomicBoolean sleeping = new AtomicBoolean(true);
        CountDownLatch asleep = new CountDownLatch(1);
        CountDownLatch awake = new CountDownLatch(1);
        // Holds the thread that polls, in the middle of what it has just polled.
        StringDeserializer sleepy = new StringDeserializer() {
            @Override
            public String deserialize(String topic, byte[] data) {
                String value = super.deserialize(topic, data);
                if (value.equals("5") && sleeping.getAndSet(false)) {
                    asleep.countDown();
                    try {
                        awake.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return value;
            }
        };
        String[] values = IntStream.range(0, 30).mapToObj(Integer::toString).toArray(String[]::new);
        group.send(0, values);
        group.start(group.member(policy, impatient, sleepy).handle((record, attempt) -> note(record)));
        asleep.await();

        group.start(
                group.member(policy, impatient, new StringDeserializer()).handle((record, attempt) -> note(record)));
        awaitCommitted(0, values.length);
        awake.countDown();

        // The sleeper has ten records in its hands, and comes back to the group when it has dealt with them.
        await().until(() -> group.memberCount() == 2);
        assertThat(handled).containsExactly(values);
    }

    @Test
    void twoGroupsWithOneScopeActOnceOnARecord() throws Exception {
        group = new Group(store, 1);
        try (Group other = new Group(store, group.topic)) {
            String[] values =
                    IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new);
            for (String value : values) {
                group.send(0, null, value, Map.of());
            }

            for (Group each : List.of(group, other)) {
                each.start(each.member(HOLD).scope("shared").handle((record, attempt) -> note(record)));
            }

            awaitCommitted(0, values.length);
            await().untilAsserted(() -> assertThat(other.committed(0)).isEqualTo(values.length));
            assertThat(handled).containsExactly(values);
        }
    }

    @Test
    void survivesARestartOfTheBroker() throws Exception {
        group = new Group(store, 2);
        Map<String, Integer> effects = new ConcurrentHashMap<>();
        for (int member = 0; member < 2; member++) {
            group.start(group.member(HOLD).handle((record, attempt) -> effects.merge(record.value(), 1, Integer::sum)));
        }
        int records = 600;
        for (int i = 0; i < records; i++) {
            group.send(i % 2, null, "" + i, Map.of());
            if (i == records / 2) {
                await().until(() -> effects.size() > records / 10);
                TestKafka.shared().restart();
            }
        }

        awaitCommitted(0, records / 2);
        awaitCommitted(1, records / 2);
        assertThat(effects)
                .hasSize(records)
                .allSatisfy((value, times) -> assertThat(times).isOne());
    }
}
