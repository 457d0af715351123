package dev.semel.torture.service;

import dev.semel.NotExecutedException;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the service really does: it has one effect per run, and makes an outcome that no other run can make. */
public final class Business {

    /** More than an item of DynamoDB holds. */
    private static final int LARGE = 450 << 10;

    /** The name of the step that has the effect. */
    public static final String EFFECT = "effect";

    private final LedgerClient ledger;
    private final Failpoints failpoints;
    private final String node;
    private final boolean plain;
    private final AtomicBoolean outOfMemory = new AtomicBoolean();

    public Business(LedgerClient ledger, Failpoints failpoints, String node, boolean plain) {
        this.ledger = ledger;
        this.failpoints = failpoints;
        this.node = node;
        this.plain = plain;
    }

    /** Lets the next run end with a real {@link OutOfMemoryError}. */
    public void runOutOfMemory() {
        outOfMemory.set(true);
    }

    /** Works, and has an effect outside the database. */
    public byte[] runOutside(ServiceRequest request, int attempt, long token) throws IOException, InterruptedException {
        prepare(request);
        effect(request, attempt, token);
        finish(request);
        return outcome(request, attempt, token);
    }

    public void prepare(ServiceRequest request) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(request.work());
        if (request.isRefused()) {
            throw new NotExecutedException("refused, as the request asked for", null);
        }
        failpoints.reach("before-effect");
    }

    public void effect(ServiceRequest request, int attempt, long token) throws IOException {
        String answer = ledger.effect(request, attempt, token, outcome(request, attempt, token));
        if (answer.equals("CLOSED")) {
            throw new NotExecutedException("the ledger knows that this does not happen", null);
        }
        if (!answer.equals("OK")) {
            throw new IllegalStateException("the ledger has seen a larger token than " + token);
        }
        failpoints.reach("after-effect");
    }

    /** Says what a recorded step has given. */
    public void recorded(ServiceRequest request, long token, String step, String result) throws IOException {
        ledger.recorded(request, token, step, result);
    }

    /** Has an effect inside the transaction. */
    public void effect(ServiceRequest request, int attempt, long token, Connection transaction) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(
                "INSERT INTO torture_effect (operation, scope, key_value, request, attempt, token) VALUES (?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, request.operation().name());
            insert.setString(2, request.scope());
            insert.setString(3, request.key());
            insert.setString(4, request.id());
            insert.setInt(5, attempt);
            insert.setLong(6, token);
            insert.executeUpdate();
        }
        failpoints.reach("inside-transaction");
    }

    public void finish(ServiceRequest request) throws InterruptedException {
        if (outOfMemory.compareAndSet(true, false)) {
            throw new IllegalStateException("there was memory for " + new long[Integer.MAX_VALUE].length + " numbers");
        }
        // Half of the work is done after the effect, so that there is time to die in between.
        TimeUnit.MILLISECONDS.sleep(request.work());
        if (request.behaviour() == Behaviour.THROW) {
            throw new IllegalStateException("failed after the effect, as " + request.id() + " asked for");
        }
    }

    /**
     * For Semel with white space, number formats and escapes that a parser and printer of JSON would not keep. Others get
     * it as PostgreSQL prints {@code jsonb}: they promise the same document, not the same bytes.
     */
    public byte[] outcome(ServiceRequest request, int attempt, long token) {
        if (plain) {
            return ("{\"by\": \"" + request.id() + "\", \"node\": \"" + node + "\"}").getBytes(StandardCharsets.UTF_8);
        }
        return ("{ \"by\":\"" + request.id() + "\",  \"amount\" : 1.50, \"note\":\"\\u0000\\/\", \"node\": \"" + node
                        + "\", \"attempt\": " + attempt + ", \"token\": " + token + ", \"echo\": \"" + request.text()
                        + "\"" + filling(request) + " }")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Differs in each place between two requests, so that no pieces of two outcomes can be mixed up. */
    private static String filling(ServiceRequest request) {
        return request.behaviour() == Behaviour.LARGE
                ? ", \"filling\": \""
                        + (request.id() + "/").repeat(LARGE / (request.id().length() + 1)) + "\""
                : "";
    }
}
