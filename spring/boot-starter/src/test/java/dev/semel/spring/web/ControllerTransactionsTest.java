package dev.semel.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import dev.semel.spring.method.AsynchronousTest;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.transaction.MethodTransactions;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Controllers whose work does not end with their transaction. */
class ControllerTransactionsTest {

    private final ControllerTransactions transactions = ControllerTransactions.onOneThread(MethodTransactions.none());

    @ParameterizedTest
    @MethodSource("dev.semel.spring.method.AsynchronousTest#asynchronous")
    void refusesWhatIsNotDoneWhenItReturns(Method method) {
        assertThatThrownBy(() ->
                        transactions.of(method, AsynchronousTest.Later.class, method.getAnnotation(Idempotent.class)))
                .isInstanceOf(SemelConfigurationException.class)
                .hasMessageContaining("Later." + method.getName())
                .hasMessageContaining("goes on when its transaction is over");
    }

    @RestController
    static class Streaming {

        @Idempotent(value = "streaming", mode = Mode.TRANSACTIONAL)
        @PostMapping("/")
        CompletableFuture<String> run() {
            throw new IllegalStateException();
        }
    }

    @Test
    void refusesAnAsynchronousControllerInATransaction() {
        SemelConfigurationException problem = assertThrows(
                SemelConfigurationException.class,
                () -> transactions.of(
                        Streaming.class.getDeclaredMethod("run"),
                        Streaming.class,
                        Streaming.class.getDeclaredMethod("run").getAnnotation(Idempotent.class)));

        assertThat(problem).hasMessageContaining("Streaming.run").hasMessageContaining("CompletableFuture");
    }
}
