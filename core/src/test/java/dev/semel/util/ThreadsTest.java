package dev.semel.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadsTest {

    @Test
    void anInterruptionDoesNotEndTheWaitAndIsKept() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        CountDownLatch interruptedOnce = new CountDownLatch(1);
        boolean[] interrupted = new boolean[1];
        Thread waiting = Threads.daemons("waiting").newThread(() -> {
            Threads.awaitUninterrupted(() -> {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    interruptedOnce.countDown();
                    throw e;
                }
            });
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        waiting.start();

        waiting.interrupt();
        interruptedOnce.await();
        assertThat(waiting.isAlive()).isTrue();
        latch.countDown();
        waiting.join();

        assertThat(interrupted[0]).isTrue();
    }

    @Test
    void findsTheOutermostCauseOfAType() {
        IllegalStateException inner = new IllegalStateException("inner");
        IllegalStateException outer = new IllegalStateException("outer", inner);

        assertThat(Failures.find(new RuntimeException(outer), IllegalStateException.class))
                .containsSame(outer);
        assertThat(Failures.find(outer, IllegalArgumentException.class)).isEmpty();
    }
}
