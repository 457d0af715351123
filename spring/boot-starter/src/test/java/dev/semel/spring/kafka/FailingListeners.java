package dev.semel.spring.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.KeyStore;
import dev.semel.spring.DeadRecordException;
import dev.semel.spring.Idempotent;
import dev.semel.testkit.FaultyStore;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.RecordInterceptor;

/** An application whose listeners meet failures that are not theirs. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FailingListeners {

    static final InMemoryKeyStore STORE = InMemoryKeyStore.create();
    static final FaultyStore FAULTS = FaultyStore.around(STORE);
    static final Key CHILD = Key.of("nested", "child");
    static final ExternalPolicy CHARGE = Policy.external("charge").build();

    static final List<String> EFFECTS = new CopyOnWriteArrayList<>();

    /** What was to be a dead letter, whether or not it became one. */
    static final List<DeadRecordException> DEAD = new CopyOnWriteArrayList<>();

    /** How often the dead letters refuse the next one. */
    static final AtomicInteger REFUSALS = new AtomicInteger();

    /** How often the registry of the deserialiser is away. */
    static final AtomicInteger REGISTRY_AWAY = new AtomicInteger();

    static final Map<String, Integer> DELIVERIES = new ConcurrentHashMap<>();

    @Bean
    KeyStore keys() {
        return FAULTS.store();
    }

    @Bean
    RecordInterceptor<Object, Object> deliveries() {
        return new RecordInterceptor<>() {
            @Override
            public ConsumerRecord<Object, Object> intercept(
                    ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
                DELIVERIES.merge(String.valueOf(record.value()), 1, Integer::sum);
                return record;
            }
        };
    }

    @Bean
    ConsumerRecordRecoverer deadLetters() {
        return (record, failure) -> {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof DeadRecordException dead) {
                    DEAD.add(dead);
                }
            }
            if (REFUSALS.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("the dead letters are away");
            }
        };
    }

    @Bean
    Places places(Semel semel) {
        return new Places(semel);
    }

    static class Places {

        private final Semel semel;

        Places(Semel semel) {
            this.semel = semel;
        }

        @Idempotent("place")
        @KafkaListener(id = "places", topics = "places")
        public void on(ConsumerRecord<String, String> record) {
            EFFECTS.add(record.value());
            if (record.value().equals("nested")) {
                try {
                    semel.operation(CHARGE)
                            .run(
                                    CHILD,
                                    Fingerprint.of("charge"),
                                    attempt -> Outcome.succeeded().build())
                            .get();
                } catch (RuntimeException e) {
                    throw new IllegalStateException("could not charge", e);
                }
            }
        }

        @Idempotent("recreate")
        @KafkaListener(id = "recreated", topics = "recreated")
        public void recreated(ConsumerRecord<String, String> record) {
            EFFECTS.add(record.value());
        }

        @Idempotent(value = "wait", key = "#header['Idempotency-Key']")
        @KafkaListener(id = "waiting", topics = "waiting")
        public void wait(ConsumerRecord<String, String> record) {
            EFFECTS.add(record.value());
        }

        @Idempotent(value = "open", whenStoreIsDown = WhenStoreIsDown.OPEN)
        @KafkaListener(id = "open", topics = "open")
        public void open(ConsumerRecord<String, String> record) {
            EFFECTS.add(record.value());
            throw new IllegalStateException("charged, and then this");
        }

        @Idempotent("read")
        @KafkaListener(
                id = "read",
                topics = "read",
                properties = {
                    "value.deserializer=org.springframework.kafka.support.serializer.ErrorHandlingDeserializer",
                    "spring.deserializer.value.delegate.class=dev.semel.spring.kafka.FailingListeners$WithRegistry"
                })
        public void read(ConsumerRecord<String, String> record) {
            EFFECTS.add(record.value());
        }
    }

    /** A deserialiser that asks a schema registry. */
    public static class WithRegistry extends StringDeserializer {

        @Override
        public String deserialize(String topic, byte[] data) {
            if (REGISTRY_AWAY.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new SerializationException("Error retrieving schema 7", new ConnectException("refused"));
            }
            String text = super.deserialize(topic, data);
            if (text.equals("garbage")) {
                throw new SerializationException("not a known format");
            }
            return text;
        }
    }
}
