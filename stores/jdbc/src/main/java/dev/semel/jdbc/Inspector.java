package dev.semel.jdbc;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.spi.StoreStatistics;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Threads;
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

/** Runs calls that are not on the request path, a few at a time, on separate threads and connections. */
final class Inspector {

    private static final int THREADS = 2;
    private static final int QUEUE = 256;
    private static final String CLOSED = "the store is closed";
    private static final Duration STATISTICS_TTL = Duration.ofSeconds(5);

    private final StoreConnections connections;
    private final SqlDialect dialect;
    private final TableInspection inspection;
    private final ThreadPoolExecutor executor;
    private @Nullable CompletableFuture<StoreStatistics> statistics;
    private long statisticsAt;

    Inspector(StoreConnections connections, SqlDialect dialect, TableInspection inspection) {
        this.connections = connections;
        this.dialect = dialect;
        this.inspection = inspection;
        this.executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                Threads.daemons("semel-jdbc-inspection"));
        executor.allowCoreThreadTimeOut(true);
    }

    /** A query on the database. */
    @FunctionalInterface
    interface Question<T> {
        T ask(TableInspection inspection, Connection connection) throws SQLException;
    }

    /** A query that waits for its turn or is running. */
    private final class QueuedQuestion<T> implements Runnable {

        private final String what;
        private final Question<T> question;
        final CompletableFuture<T> answer = new CompletableFuture<>();

        QueuedQuestion(String what, Question<T> question) {
            this.what = what;
            this.question = question;
        }

        @Override
        public void run() {
            try {
                answer.complete(connections.run(connection -> question.ask(inspection, connection)));
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

    <T> CompletableFuture<T> ask(String what, Question<T> question) {
        QueuedQuestion<T> queued = new QueuedQuestion<>(what, question);
        try {
            executor.execute(queued);
        } catch (RejectedExecutionException e) {
            queued.giveUp(executor.isShutdown() ? CLOSED : QUEUE + " others wait already");
        }
        return queued.answer;
    }

    /** The latest count, renewed if it is older than a few seconds. */
    synchronized CompletionStage<StoreStatistics> statistics() {
        CompletableFuture<StoreStatistics> latest = statistics;
        boolean fresh = latest != null
                && !latest.isCompletedExceptionally()
                && System.nanoTime() - statisticsAt < STATISTICS_TTL.toNanos();
        if (latest == null || !fresh) {
            latest = ask("counting keys", TableInspection::statistics);
            statistics = latest;
            statisticsAt = System.nanoTime();
        }
        return latest.copy();
    }

    void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(connections.statementTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                giveUp();
            }
        } catch (InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
        }
    }

    private void giveUp() {
        for (Runnable waiting : executor.shutdownNow()) {
            ((QueuedQuestion<?>) waiting).giveUp(CLOSED);
        }
    }
}
