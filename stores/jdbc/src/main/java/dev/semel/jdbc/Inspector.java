package dev.semel.jdbc;

import dev.semel.StoreUnavailableException;
import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs what is not on the way of a request: a few calls at a time, on threads and connections of its own. */
final class Inspector {

    private static final int THREADS = 2;
    private static final int QUEUE = 256;
    private static final String CLOSED = "the store is closed";
    private static final Duration STATISTICS_TTL = Duration.ofSeconds(5);

    private final Database database;
    private final Dialect dialect;
    private final Inspection inspection;
    private final ThreadPoolExecutor executor;
    private @Nullable CompletableFuture<StoreStatistics> statistics;
    private long statisticsAt;

    Inspector(Database database, Dialect dialect, Inspection inspection) {
        this.database = database;
        this.dialect = dialect;
        this.inspection = inspection;
        this.executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                DaemonThreads.named("inspection"));
        executor.allowCoreThreadTimeOut(true);
    }

    /** What is asked of the database. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Inspection inspection, Connection connection) throws SQLException;
    }

    <T> CompletionStage<T> ask(String what, Question<T> question) {
        return submit(what, question);
    }

    /** A question that waits for its turn, or is being asked. */
    private final class Asked<T> implements Runnable {

        private final String what;
        private final Question<T> question;
        final CompletableFuture<T> answer = new CompletableFuture<>();

        Asked(String what, Question<T> question) {
            this.what = what;
            this.question = question;
        }

        @Override
        public void run() {
            try {
                answer.complete(database.run(connection -> question.ask(inspection, connection)));
            } catch (SQLException e) {
                answer.completeExceptionally(dialect.wrap(what + " failed", e));
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        }

        void giveUp(String why) {
            answer.completeExceptionally(new StoreUnavailableException(what + " was not tried: " + why, null));
        }
    }

    private <T> CompletableFuture<T> submit(String what, Question<T> question) {
        Asked<T> asked = new Asked<>(what, question);
        try {
            executor.execute(asked);
        } catch (RejectedExecutionException e) {
            asked.giveUp(executor.isShutdown() ? CLOSED : QUEUE + " others wait already");
        }
        return asked.answer;
    }

    /** The latest count, made anew if it is not from the last few seconds. */
    synchronized CompletionStage<StoreStatistics> statistics() {
        CompletableFuture<StoreStatistics> latest = statistics;
        boolean fresh = latest != null
                && !latest.isCompletedExceptionally()
                && System.nanoTime() - statisticsAt < STATISTICS_TTL.toNanos();
        if (latest == null || !fresh) {
            latest = submit("counting keys", Inspection::statistics);
            statistics = latest;
            statisticsAt = System.nanoTime();
        }
        return latest.copy();
    }

    void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(database.statementTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                giveUp();
            }
        } catch (InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
        }
    }

    private void giveUp() {
        for (Runnable waiting : executor.shutdownNow()) {
            ((Asked<?>) waiting).giveUp(CLOSED);
        }
    }
}
