package dev.semel.spring.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.spring.Idempotent;
import dev.semel.testservers.TestPostgres;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.Header;

/** A listener of JMS whose messages come twice, on Artemis. */
class JmsRecipeTest {

    @org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableJms
    static class Application {

        @Bean
        ConnectionFactory connectionFactory() {
            return new ActiveMQConnectionFactory("vm://0");
        }

        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory connections) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setSessionTransacted(true);
            return factory;
        }

        @Bean
        JmsTemplate jmsTemplate(ConnectionFactory connections) {
            return new JmsTemplate(connections);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LostAnswers lostAnswers() {
            return new LostAnswers(JmsListener.class);
        }

        @Bean
        Bookings bookings() {
            return new Bookings();
        }
    }

    static class Bookings {

        static final List<String> BOOKED = new CopyOnWriteArrayList<>();

        // quoted: jms-listener
        @JmsListener(destination = "orders")
        @Idempotent(value = "book-order", key = "#number", waitFor = "10s")
        public void book(String order, @Header("order_number") String number) {
            // end
            BOOKED.add(number);
        }
    }

    private static EmbeddedActiveMQ broker;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .addAcceptorConfiguration("in-vm", "vm://0")
                .addQueueConfiguration(QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST));
        broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        application = Recipes.start(Application.class, TestPostgres.newDatabase());
    }

    @AfterAll
    static void stop() throws Exception {
        application.close();
        broker.stop();
    }

    @BeforeEach
    void clear() {
        Bookings.BOOKED.clear();
    }

    @Test
    void aMessageThatIsSentTwiceIsHandledOnce() {
        send("1");
        send("1");
        send("2");

        await().atMost(Duration.ofSeconds(30)).until(JmsRecipeTest::allAreAcknowledged);
        assertThat(Bookings.BOOKED).containsExactly("1", "2");
    }

    /** The broker is not told that the message was handled, and delivers it again. */
    @Test
    void aMessageThatIsDeliveredAgainIsHandledOnce() {
        LostAnswers lost = application.getBean(LostAnswers.class);
        lost.loses.set(true);
        send("3");

        await().atMost(Duration.ofSeconds(30)).until(() -> !lost.loses.get() && allAreAcknowledged());
        assertThat(Bookings.BOOKED).containsExactly("3");
    }

    private static void send(String number) {
        application.getBean(JmsTemplate.class).convertAndSend("orders", "{}", message -> {
            message.setStringProperty("order_number", number);
            return message;
        });
    }

    private static boolean allAreAcknowledged() {
        var queue = broker.getActiveMQServer().locateQueue("orders");
        return queue != null
                && queue.getMessagesAdded() == queue.getMessagesAcknowledged()
                && queue.getMessagesKilled() == 0;
    }
}
