package dev.semel.spring.test;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SemelExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;

/** A slice whose store is the one of the test. */
@MvcSlice
@AutoConfigureSemel
@ContextConfiguration(classes = {AutoConfigureSemelTest.Shop.class, PlantedKeyInSliceTest.Store.class})
@TestPropertySource(properties = "semel.scope=shop")
class PlantedKeyInSliceTest {

    @RegisterExtension
    static final SemelExtension SEMEL = SemelExtension.inMemory();

    @TestConfiguration
    static class Store {

        @Bean
        KeyStore store() {
            return SEMEL.store();
        }
    }

    @Autowired
    private MockMvc service;

    @Test
    void holdsAKeyWhoseOutcomeIsUnknown() throws Exception {
        SEMEL.plant("shop", "key-2").unknown();

        service.perform(post("/orders").header("Idempotency-Key", "\"key-2\"")).andExpect(status().isConflict());
    }
}
