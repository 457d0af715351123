package dev.semel.examples.recipes;

import dev.semel.client.HttpOperation;
import dev.semel.client.IdempotentHttpClient;
import dev.semel.client.KeyJournal;
import dev.semel.client.MaybeAppliedException;
import dev.semel.client.NotAppliedException;
import dev.semel.client.OperationKeys;
import dev.semel.client.RetryPolicy;
import dev.semel.client.UnfinishedOperation;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiConsumer;

/** The part of an app that sends orders: it may be offline, and it may be killed at any time. */
final class OfflineClient implements AutoCloseable {

    private final KeyJournal journal;
    private final IdempotentHttpClient client;
    private final URI orders;
    private final BiConsumer<String, String> save;

    OfflineClient(Path directory, URI orders, Duration patience, BiConsumer<String, String> save) {
        // quoted: client
        KeyJournal journal = KeyJournal.open(directory.resolve("orders.journal"));
        IdempotentHttpClient client = IdempotentHttpClient.builder()
                .journal(journal)
                .retries(RetryPolicy.builder()
                        .attemptTimeout(patience)
                        .deadline(patience)
                        .keyRetention(Duration.ofDays(7)) // what the API promises
                        .build())
                .build();
        // end
        this.journal = journal;
        this.client = client;
        this.orders = orders;
        this.save = save;
    }

    /** What the app shows. */
    enum Sent {
        ANSWERED,
        OFFLINE,
        UNKNOWN
    }

    Sent order(String cart, String json, String token) throws InterruptedException {
        // quoted: order
        HttpOperation order = HttpOperation.post(orders)
                .key(OperationKeys.derived("order", cart)) // the same when the user presses twice
                .header("Authorization", "Bearer " + token)
                .json(json)
                .build();
        try {
            client.send(order, answer -> save.accept(answer.key(), answer.text()));
            return Sent.ANSWERED;
        } catch (NotAppliedException e) {
            return Sent.OFFLINE; // nothing arrived: keep the cart, and send it later
        } catch (MaybeAppliedException e) {
            return Sent.UNKNOWN; // it is in the journal: resume it
        }
        // end
    }

    /** Called when the app starts, and when the phone is online again. */
    void resume(String token) throws InterruptedException {
        // quoted: resume
        for (UnfinishedOperation order : journal.unfinished()) {
            client.send(
                    order.resume(Map.of("Authorization", "Bearer " + token)),
                    answer -> save.accept(answer.key(), answer.text()));
        }
        // end
    }

    @Override
    public void close() {
        journal.close();
    }
}
