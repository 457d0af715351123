package dev.semel.client;

import dev.semel.client.RawServer.Response;
import dev.semel.testkit.failures.FailureContract;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testkit.failures.Meaning;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** What each answer, and each lack of one, means to the key in the client's journal. */
class ClientFailuresTest extends FailureContract {

    @TempDir
    private Path directory;

    private int journals;

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.CLIENT;
    }

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new HashMap<>();
        scenarios.put("returns", answered(Response.of(201, "made")));
        scenarios.put("server-error", answered(Response.of(500, "oops")));
        scenarios.put("not-executed", answered(problem(503, "not-applied", "same-key")));
        scenarios.put("outcome-unknown", answered(problem(409, "unknown", "same-key")));
        scenarios.put("refused-before", answered(Response.of(400, "malformed")));
        scenarios.put(
                "denied-before",
                () -> same(Response.of(401, ""), Response.of(403, ""), problem(429, "not-applied", "same-key")));
        scenarios.put("denied-after", answered(Response.of(429, "")));
        scenarios.put("store-down-at-claim", answered(problem(503, "unknown", "same-key")));
        scenarios.put("mismatch", answered(problem(422, "unknown", "new-key")));
        scenarios.put("upstream-refused", this::nobodyListens);
        byte[] whole = Response.of(201, "made").bytes();
        scenarios.put(
                "upstream-silent", answered(new Response(Arrays.copyOf(whole, whole.length - 1), whole.length - 1)));
        scenarios.put(
                "upstream-broken",
                () -> same(
                        Response.of(201, "made").cutAt(0),
                        Response.of(201, "made").cutAt(whole.length - 1)));
        return scenarios;
    }

    private static Response problem(int status, String outcome, String retry) {
        return Response.of(status, "{\"outcome\":\"" + outcome + "\",\"retry\":\"" + retry + "\"}", "Retry-After", "0");
    }

    private Scenario answered(Response response) {
        return () -> {
            try (RawServer server = new RawServer(request -> response)) {
                return send(server.uri("/charges"));
            }
        };
    }

    private Meaning same(Response... responses) throws Exception {
        Meaning first = answered(responses[0]).happens();
        for (Response response : responses) {
            Meaning other = answered(response).happens();
            if (other != first) {
                throw new AssertionError(
                        new String(response.bytes(), StandardCharsets.UTF_8) + " means " + other + ", not " + first);
            }
        }
        return first;
    }

    private Meaning nobodyListens() throws IOException, InterruptedException {
        RawServer server = new RawServer(request -> Response.of(201, ""));
        server.close();
        return send(server.uri("/charges"));
    }

    /** Sends an operation, and looks into the journal as a process would that starts after this one. */
    private Meaning send(URI uri) throws InterruptedException {
        Path path = directory.resolve("journal-" + ++journals);
        Meaning meaning;
        try (KeyJournal journal = KeyJournal.open(path)) {
            meaning = told(
                    IdempotentHttpClient.builder()
                            .journal(journal)
                            .retries(RetryPolicy.builder()
                                    .maxAttempts(2)
                                    .attemptTimeout(Duration.ofMillis(500))
                                    .delays(Duration.ofMillis(1), Duration.ofMillis(1))
                                    .build())
                            .build(),
                    HttpOperation.post(uri).json("{}").build());
        }
        try (KeyJournal journal = KeyJournal.open(path)) {
            List<UnfinishedOperation> left = journal.unfinished();
            if (left.isEmpty() == (meaning == Meaning.STAYS_UNKNOWN)) {
                throw new AssertionError("told " + meaning + ", but the journal has " + left);
            }
        }
        return meaning;
    }

    private static Meaning told(IdempotentHttpClient client, HttpOperation operation) throws InterruptedException {
        try {
            return client.send(operation).status() < 300 ? Meaning.APPLIED : Meaning.NOT_APPLIED;
        } catch (NotAppliedException e) {
            return Meaning.NOT_APPLIED;
        } catch (MaybeAppliedException e) {
            return Meaning.STAYS_UNKNOWN;
        }
    }
}
