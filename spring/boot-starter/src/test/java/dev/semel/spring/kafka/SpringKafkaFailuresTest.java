package dev.semel.spring.kafka;

import dev.semel.Attempt;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.testkit.failures.ConsumerFailureContract;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testservers.KafkaBroker;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;

/** What each failure means to the key of a record that a listener handles. */
class SpringKafkaFailuresTest extends ConsumerFailureContract {

    private static final AtomicInteger DEAD = new AtomicInteger();
    private static volatile Handler handler;
    private static KafkaBroker broker;
    private static Admin admin;
    private static KafkaProducer<String, String> producer;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringSerializer(), new StringSerializer());
    }

    @AfterAll
    static void stopBroker() throws Exception {
        producer.close();
        admin.close();
        broker.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        KeyStore keys() {
            return InMemoryKeyStore.create();
        }

        @Bean
        ConsumerRecordRecoverer deadLetters() {
            return (record, failure) -> DEAD.incrementAndGet();
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    static class Listener {

        @Idempotent(value = OPERATION, key = "#header['Idempotency-Key']")
        @KafkaListener(id = "${failures.topic}", topics = "${failures.topic}")
        public void on(ConsumerRecord<String, String> record, Attempt attempt) throws Exception {
            handler.handle(attempt);
        }
    }

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.SPRING_KAFKA;
    }

    @Override
    protected Consumer consumer(Semel semel, Policy policy, Executor executor, Handler given) throws Exception {
        String topic = "failures-" + UUID.randomUUID();
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        DEAD.set(0);
        handler = given;
        return new Consumer() {

            private ConfigurableApplicationContext application;

            @Override
            public void send(String key, String content) throws Exception {
                ProducerRecord<String, String> record = new ProducerRecord<>(topic, content);
                if (!content.equals(unreadable())) {
                    record.headers().add("Idempotency-Key", key.getBytes(StandardCharsets.UTF_8));
                }
                producer.send(record).get();
            }

            @Override
            public void start() {
                application = new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .initializers(context -> ((GenericApplicationContext) context)
                                .registerBean(
                                        Semel.class, () -> semel, definition -> definition.setDestroyMethodName("")))
                        .properties(
                                "spring.datasource.url=" + TestPostgres.url("postgres"),
                                "spring.kafka.bootstrap-servers=" + broker.bootstrap(),
                                "spring.kafka.consumer.auto-offset-reset=earliest",
                                "spring.main.banner-mode=off",
                                "failures.topic=" + topic,
                                "logging.level.root=ERROR")
                        .run();
            }

            @Override
            public boolean hasEnded() {
                return !application
                        .getBean(KafkaListenerEndpointRegistry.class)
                        .getListenerContainer(topic)
                        .isRunning();
            }

            @Override
            public Key keyOf(String key) {
                return Namespace.DEFAULT.key(topic, Key.deterministicValue(OPERATION, key));
            }

            @Override
            public int dead() {
                return DEAD.get();
            }

            @Override
            public void close() {
                application.close();
            }
        };
    }
}
