package dev.semel.spring.method;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.NoValueException;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/** A scheduled method whose key another caller holds. */
@Timeout(60)
class ScheduledMethodsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withPropertyValues("semel.store=memory")
            .withUserConfiguration(Scheduling.class)
            .withConfiguration(SemelConfigurations.with());

    @EnableScheduling
    static class Scheduling {}

    /** The first call holds the key until it is released. */
    abstract static class Job {

        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);

        abstract void run() throws InterruptedException;

        void hold() throws InterruptedException {
            runs.incrementAndGet();
            started.countDown();
            released.await();
        }
    }

    static class Skipping extends Job {

        @Override
        @Scheduled(initialDelayString = "P1D", fixedDelayString = "P1D")
        @Idempotent(value = "skipping", key = "'today'", skipInFlight = true)
        void run() throws InterruptedException {
            hold();
        }
    }

    static class Insisting extends Job {

        @Override
        @Scheduled(initialDelayString = "P1D", fixedDelayString = "P1D")
        @Idempotent(value = "insisting", key = "'today'")
        void run() throws InterruptedException {
            hold();
        }
    }

    @Test
    void returnsWithoutRunningIfItSaysSo() {
        application.withBean(Skipping.class).run(context -> {
            Job job = whileHeld(context, Skipping.class, () -> fire(context));

            fire(context);
            assertThat(job.runs).hasValue(1);
        });
    }

    @Test
    void failsOtherwise() {
        application
                .withBean(Insisting.class)
                .run(context -> whileHeld(
                        context,
                        Insisting.class,
                        () -> assertThatExceptionOfType(NoValueException.class).isThrownBy(() -> fire(context))));
    }

    /** Runs a check while another caller runs the job, and waits until that has ended. */
    private static Job whileHeld(ApplicationContext context, Class<? extends Job> type, Runnable check)
            throws Exception {
        Job proxy = context.getBean(type);
        Job job = (Job) AopProxyUtils.getSingletonTarget(proxy);
        CompletableFuture<Void> holder = CompletableFuture.runAsync(() -> {
            try {
                proxy.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        job.started.await();
        try {
            check.run();
        } finally {
            job.released.countDown();
            holder.join();
        }
        assertThat(job.runs).hasValue(1);
        return job;
    }

    /** What the scheduler runs; it logs what this throws as an error. */
    private static void fire(ApplicationContext context) {
        context.getBean(ScheduledAnnotationBeanPostProcessor.class)
                .getScheduledTasks()
                .forEach(task -> task.getTask().getRunnable().run());
    }

    static class Counting {

        @Idempotent(value = "counting", key = "'today'", skipInFlight = true)
        int run() {
            return 1;
        }
    }

    @Test
    void cannotSkipWhereAValueIsExpected() {
        application
                .withBean(Counting.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("Counting.run()", "skipInFlight", "returns int");
                    assertThat(analysis.getAction()).contains("Return nothing");
                }));
    }
}
