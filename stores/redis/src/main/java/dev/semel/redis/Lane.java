package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Lets claims and settles travel together: one batch is on its way at a time, and whoever comes meanwhile shares the
 * next. Nobody waits for others to come.
 */
final class Lane {

    /** A longer batch would hold up the other callers of Redis for longer. */
    private static final int MOST_CALLS = 64;

    private static final int MOST_BYTES = 64 * 1024;

    /** One call of a batch. */
    record Ticket(char kind, KeyDigest digest, byte[] head, byte[] body, CompletableFuture<Reply> answer) {

        Ticket(char kind, KeyDigest digest, byte[] head, byte[] body) {
            this(kind, digest, head, body, new CompletableFuture<>());
        }
    }

    private final Function<List<Ticket>, CompletionStage<List<Object>>> transport;
    private final ArrayDeque<Ticket> waiting = new ArrayDeque<>();
    private boolean underWay;

    Lane(Function<List<Ticket>, CompletionStage<List<Object>>> transport) {
        this.transport = transport;
    }

    CompletionStage<Reply> add(Ticket ticket) {
        synchronized (this) {
            waiting.add(ticket);
            if (underWay) {
                return ticket.answer();
            }
            underWay = true;
        }
        sendNext();
        return ticket.answer();
    }

    private void sendNext() {
        List<Ticket> batch = nextBatch();
        if (!batch.isEmpty()) {
            send(batch).whenComplete((answers, failure) -> {
                sendNext();
                if (failure == null) {
                    deliver(batch, answers);
                } else {
                    fail(batch, failure);
                }
            });
        }
    }

    private synchronized List<Ticket> nextBatch() {
        List<Ticket> batch = new ArrayList<>();
        int bytes = 0;
        while (!waiting.isEmpty() && batch.size() < MOST_CALLS) {
            bytes += waiting.element().body().length;
            if (bytes > MOST_BYTES && !batch.isEmpty()) {
                break;
            }
            batch.add(waiting.remove());
        }
        underWay = !batch.isEmpty();
        return batch;
    }

    private CompletionStage<List<Object>> send(List<Ticket> batch) {
        try {
            return transport.apply(batch);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static void deliver(List<Ticket> batch, List<Object> answers) {
        for (int i = 0; i < batch.size(); i++) {
            Object answer = answers.get(i);
            batch.get(i)
                    .answer()
                    .complete(new Reply(answer instanceof List<?> parts ? (List<Object>) parts : List.of(answer)));
        }
    }

    /** What Redis refused as a whole may be due to one call alone: then each is tried by itself. */
    private void fail(List<Ticket> batch, Throwable failure) {
        if (batch.size() == 1 || Failures.wrap(failure) instanceof StoreUnavailableException) {
            batch.forEach(ticket -> ticket.answer().completeExceptionally(failure));
            return;
        }
        for (Ticket ticket : batch) {
            List<Ticket> alone = List.of(ticket);
            send(alone).whenComplete((answers, refusal) -> {
                if (refusal == null) {
                    deliver(alone, answers);
                } else {
                    ticket.answer().completeExceptionally(refusal);
                }
            });
        }
    }
}
