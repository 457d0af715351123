package dev.semel.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.FailureMapper;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A replayed failure is an exception of the application, if that says how. */
class ReplayedFailuresTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(SemelConfigurations.with())
            .withPropertyValues("semel.store=memory");

    @Test
    void throwsTheExceptionOfTheApplicationTheSecondTimeToo() {
        application
                .withBean(Cards.class)
                .withBean(FailureMapper.class, () -> stored -> new Declined(stored.getMessage()))
                .run(context -> {
                    Cards cards = context.getBean(Cards.class);

                    for (int i = 0; i < 2; i++) {
                        assertThatThrownBy(() -> cards.charge("order-1"))
                                .isInstanceOf(Declined.class)
                                .hasMessage("no funds");
                    }
                    assertThat(cards.runs()).isEqualTo(1);
                });
    }

    static class Cards {

        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(value = "charge", key = "#id")
        String charge(String id) {
            runs.incrementAndGet();
            throw new Declined("no funds");
        }

        int runs() {
            return runs.get();
        }
    }

    static final class Declined extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Declined(String message) {
            super(message);
        }
    }
}
