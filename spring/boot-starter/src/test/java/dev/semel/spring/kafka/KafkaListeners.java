package dev.semel.spring.kafka;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.NotExecutedException;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.transaction.annotation.Transactional;

/** An application that listens to Kafka. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class KafkaListeners {

    /** What listeners did, and dead letters, in the order of their coming. */
    static final List<String> EFFECTS = new CopyOnWriteArrayList<>();

    static final List<ConsumerRecord<String, String>> DEAD = new CopyOnWriteArrayList<>();

    /** How often each value was delivered. */
    static final Map<String, Integer> DELIVERIES = new ConcurrentHashMap<>();

    @Bean
    RecordInterceptor<Object, Object> deliveries() {
        return new RecordInterceptor<>() {
            @Override
            public ConsumerRecord<Object, Object> intercept(
                    ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
                DELIVERIES.merge(record.value().toString(), 1, Integer::sum);
                return record;
            }
        };
    }

    @Bean
    Positions positions() {
        return new Positions();
    }

    @Bean
    Keys keys() {
        return new Keys();
    }

    @Bean
    Shipments shipments() {
        return new Shipments();
    }

    /** A factory of containers with transactions of Kafka. */
    @Bean
    ConcurrentKafkaListenerContainerFactory<Object, Object> transacted(
            ConsumerFactory<Object, Object> consumers,
            ProducerFactory<Object, Object> producers,
            RecordInterceptor<Object, Object> deliveries) {
        DefaultKafkaProducerFactory<Object, Object> transactional =
                new DefaultKafkaProducerFactory<>(producers.getConfigurationProperties());
        transactional.setTransactionIdPrefix("transacted-");
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        factory.setConsumerFactory(consumers);
        factory.setRecordInterceptor(deliveries);
        factory.getContainerProperties().setKafkaAwareTransactionManager(new KafkaTransactionManager<>(transactional));
        return factory;
    }

    @Bean
    Transacted transactedListener() {
        return new Transacted();
    }

    @Bean
    InTransactions inTransactions(JdbcTemplate jdbc) {
        jdbc.execute("CREATE TABLE IF NOT EXISTS listened (number text NOT NULL)");
        return new InTransactions(jdbc);
    }

    @Bean
    Morgue morgue() {
        return new Morgue();
    }

    static class Positions {

        @Idempotent("by-position")
        @KafkaListener(id = "positions", topics = "positions")
        public void on(ConsumerRecord<String, String> record) {
            if (record.value().equals("refused") && DELIVERIES.get("refused") == 1) {
                throw new NotExecutedException("not yet", new ClassCastException("fatal to Spring Kafka"));
            }
            EFFECTS.add(record.value());
            if (record.value().equals("broken")) {
                throw new IllegalStateException("out of stock");
            }
        }
    }

    @KafkaListener(id = "keys", topics = "keys")
    @Idempotent(value = "by-header", key = "#header['Idempotency-Key']")
    static class Keys {

        @KafkaHandler
        public void on(@Payload String order, ConsumerRecord<String, String> record, Attempt attempt) {
            EFFECTS.add(order + " " + record.key() + " " + attempt.number());
        }
    }

    /** In the group of {@link Keys}, and with keys that look the same, unless a record has bytes for one. */
    static class Shipments {

        @Idempotent(
                value = "ship",
                key = "#record.value() == 'by its bytes' ? #record.value().bytes : #header['Idempotency-Key']")
        @KafkaListener(id = "shipments", groupId = "keys", topics = "shipments")
        public void on(ConsumerRecord<String, String> record) {
            EFFECTS.add(record.value());
        }
    }

    static class Transacted {

        @Idempotent(value = "transacted", key = "#header['Idempotency-Key']")
        @KafkaListener(id = "transacted", topics = "transacted", containerFactory = "transacted")
        public void on(@Payload String order, ConsumerRecord<String, String> record, Attempt attempt) {
            if (order.equals("refused") && DELIVERIES.get("refused") == 1) {
                throw new NotExecutedException("not yet", new ClassCastException("fatal to Spring Kafka"));
            }
            EFFECTS.add(order + " " + record.key() + " " + attempt.number());
        }
    }

    static class InTransactions {

        private final JdbcTemplate jdbc;

        InTransactions(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(value = "in-transactions", mode = Mode.TRANSACTIONAL)
        @Transactional
        @KafkaListener(id = "transactions", topics = "transactions")
        public void on(ConsumerRecord<String, String> record, Attempt attempt) throws Exception {
            jdbc.update("INSERT INTO listened VALUES (?)", record.value());
            if (record.value().equals("rejected after a step")) {
                EFFECTS.add(attempt.step("charge", Codec.text(), () -> "charged"));
                throw new MessageRejectedException("no such address", null);
            }
            if (DELIVERIES.get(record.value()) == 1) {
                throw record.value().equals("of another class")
                        ? new ClassCastException("fatal to Spring Kafka")
                        : new IllegalStateException("rolled back");
            }
        }
    }

    static class Morgue {

        @KafkaListener(id = "dead", topicPattern = ".*-dlt", properties = "metadata.max.age.ms=500")
        public void on(ConsumerRecord<String, String> record) {
            DEAD.add(record);
        }
    }
}
