package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandlerChainTest {

    private final HandlerChain chain = new HandlerChain();
    private final List<Runnable> submitted = new ArrayList<>();
    private final Executor executor = submitted::add;
    private final List<String> ran = new ArrayList<>();

    @Test
    void theNextHandlerRunsOnTheSameThreadAfterTheOneBefore() {
        chain.execute(executor, () -> {
            chain.execute(executor, () -> ran.add("second"));
            ran.add("first");
        });
        assertThat(submitted).hasSize(1);

        submitted.get(0).run();

        assertThat(submitted).hasSize(1);
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void aHandlerThatComesFromElsewhereGoesToTheExecutor() {
        chain.execute(executor, () -> ran.add("first"));
        submitted.remove(0).run();

        chain.execute(executor, () -> ran.add("second"));

        assertThat(submitted).hasSize(1);
        assertThat(ran).containsExactly("first");
    }

    @Test
    void aLongChainGivesItsThreadBack() {
        AtomicInteger left = new AtomicInteger(100);
        chain.execute(executor, () -> countDown(left));

        submitted.remove(0).run();
        assertThat(left).hasPositiveValue();
        assertThat(submitted).hasSize(1);

        while (!submitted.isEmpty()) {
            submitted.remove(0).run();
        }
        assertThat(left).hasValue(0);
    }

    private void countDown(AtomicInteger left) {
        if (left.decrementAndGet() > 0) {
            chain.execute(executor, () -> countDown(left));
        }
    }

    @Test
    void anInterruptIsNotPassedOnToTheNextHandler() {
        chain.execute(executor, () -> {
            Thread.currentThread().interrupt();
            chain.execute(executor, () -> ran.add("second"));
        });
        submitted.remove(0).run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(ran).isEmpty();
        assertThat(submitted).hasSize(1);
    }

    @Test
    void theNextHandlerRunsAfterOneThatFailsEvenIfTheExecutorIsFull() {
        chain.execute(executor, () -> {
            chain.execute(executor, () -> ran.add("second"));
            throw new IllegalStateException("out of something");
        });
        Runnable first = submitted.remove(0);
        assertThatThrownBy(first::run).isInstanceOf(IllegalStateException.class);

        assertThat(submitted).isEmpty();
        assertThat(ran).containsExactly("second");
    }
}
