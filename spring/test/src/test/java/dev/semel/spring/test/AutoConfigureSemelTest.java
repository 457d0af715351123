package dev.semel.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.semel.Attempt;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A controller whose handler takes an attempt, in a slice of the application. */
@MvcSlice
@AutoConfigureSemel
@ContextConfiguration(classes = {AutoConfigureSemelTest.Shop.class, AutoConfigureSemelTest.TransactionalOrders.class})
@TestPropertySource(properties = "semel.scope=shop")
class AutoConfigureSemelTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    @RestController
    static class Orders {

        private final AtomicInteger placed = new AtomicInteger();

        @Idempotent("order")
        @PostMapping("/orders")
        String place(Attempt attempt) {
            return "order " + placed.incrementAndGet() + ", attempt " + attempt.number();
        }
    }

    @RestController
    static class TransactionalOrders {

        private final AtomicInteger placed = new AtomicInteger();

        @Idempotent(value = "transactional order", mode = Mode.TRANSACTIONAL)
        @PostMapping("/transactional-orders")
        String place(Attempt attempt) {
            return "order " + placed.incrementAndGet();
        }
    }

    @Autowired
    private MockMvc service;

    @Autowired
    private Orders orders;

    @Test
    void givesTheHandlerItsAttemptAndReplays() throws Exception {
        int before = orders.placed.get();
        String first = service.perform(post("/orders").header("Idempotency-Key", "\"key-1\""))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(first).isEqualTo("order " + (before + 1) + ", attempt 1");

        service.perform(post("/orders").header("Idempotency-Key", "\"key-1\""))
                .andExpect(status().isOk())
                .andExpect(header().string("Idempotent-Replayed", "true"))
                .andExpect(content().string(first));
    }

    @Test
    void playsTheTransactionOfAHandler() throws Exception {
        String first = service.perform(post("/transactional-orders").header("Idempotency-Key", "\"key-3\""))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();

        service.perform(post("/transactional-orders").header("Idempotency-Key", "\"key-3\""))
                .andExpect(header().string("Idempotent-Replayed", "true"))
                .andExpect(content().string(first));
    }

    @Test
    void asksForAKey() throws Exception {
        service.perform(post("/orders")).andExpect(status().isBadRequest());
    }
}
