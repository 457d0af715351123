package dev.semel.spring.kafka;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.ContainerProperties;

/** Listeners that keep an application from starting. */
class ListenerStartUpTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withPropertyValues("semel.store=memory")
            .withConfiguration(SemelConfigurations.with(KafkaListenerAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    static class WithKafka {

        @Bean
        ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory() {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
            factory.getContainerProperties().setAckMode(ContainerProperties.AckMode.MANUAL);
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTwoRecoverers extends WithKafka {

        @Bean
        @Override
        ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory() {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory = super.kafkaListenerContainerFactory();
            factory.getContainerProperties().setAckMode(ContainerProperties.AckMode.BATCH);
            return factory;
        }

        @Bean
        ConsumerRecordRecoverer one() {
            return (letter, failure) -> {};
        }

        @Bean
        ConsumerRecordRecoverer other() {
            return (letter, failure) -> {};
        }
    }

    static class WithoutRecord {

        @Idempotent
        @KafkaListener(topics = "orders", groupId = "group")
        public void on(String order) {}
    }

    static class Replying {

        @Idempotent
        @KafkaListener(topics = "orders", groupId = "group")
        public String on(ConsumerRecord<String, String> order) {
            return order.value();
        }
    }

    static class ByHand {

        @Idempotent
        @KafkaListener(topics = "orders", groupId = "group")
        public void on(ConsumerRecord<String, String> order) {}
    }

    @Test
    void refusesListenersThatCannotActOnceOnEachRecord() {
        ApplicationContextRunner kafka = application.withUserConfiguration(WithKafka.class);
        kafka.withBean(WithoutRecord.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("ConsumerRecord")));
        kafka.withBean(Replying.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("Return nothing")));
        kafka.withBean(ByHand.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("spring.kafka.listener.ack-mode")));
    }

    @Test
    void needsToKnowWhichOfSeveralTakesTheDeadLetters() {
        application
                .withUserConfiguration(WithTwoRecoverers.class)
                .withBean(ByHand.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("more than one ConsumerRecordRecoverer");
                    assertThat(analysis.getAction()).contains("@Primary");
                }));
    }
}
