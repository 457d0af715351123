package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What a client of 0.1.0 sent and got, in a file that never changes: {@code >} is a request, {@code <} the answer to it. Clients are not
 * upgraded together with a server, so later releases answer in the same way, but for the text of {@code detail} and {@code title}.
 */
class FirstReleaseExchangesTest {

    private static final String FILE = "0.1.0/exchanges.txt";

    private final Semel semel = Semel.builder(
                    InMemoryKeyStore.builder().clock(() -> Instant.EPOCH).build())
            .build();
    private final HttpGate gate = HttpGate.builder(semel).build();
    private final HttpRules rules = HttpRules.of(Policy.external("charge").build());
    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<HandlerResponse> slow = new CompletableFuture<>();

    @AfterEach
    void close() {
        slow.complete(response(201, "too late to matter"));
        semel.close();
    }

    @Test
    void answersAsTheFirstReleaseDid() throws IOException {
        String released = read();

        assertThat(withoutProse(replayed(released))).isEqualTo(withoutProse(released));
    }

    /** Writes the answers down, below the requests that the file has: before a release in which the protocol has more. */
    @Test
    @EnabledIfSystemProperty(named = "exchanges.written", matches = ".+")
    void write() throws IOException {
        Path file = Path.of(System.getProperty("exchanges.written")).resolve(FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(file, replayed(read()));
    }

    /** The text of a problem may change: docs/compatibility.md. */
    private static String withoutProse(String exchanges) {
        return exchanges.replaceAll("\"(title|detail)\":\"(\\\\.|[^\"\\\\])*\"", "\"$1\":\"\"");
    }

    /** The file, with the answers that its requests get now. */
    private String replayed(String released) throws IOException {
        StringBuilder all = new StringBuilder();
        List<String> request = new ArrayList<>();
        for (String line : (released + "\n").split("\n", -1)) {
            if (line.startsWith(">")) {
                request.add(line.length() > 2 ? line.substring(2) : "");
                all.append(line).append('\n');
            } else if (!line.startsWith("<")) {
                if (!request.isEmpty()) {
                    answer(request)
                            .lines()
                            .forEach(each ->
                                    all.append(("< " + each).stripTrailing()).append('\n'));
                    request.clear();
                }
                all.append(line).append('\n');
            }
        }
        return all.toString().stripTrailing() + "\n";
    }

    private String answer(List<String> request) throws IOException {
        String[] start = request.get(0).split(" ");
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        int line = 1;
        for (; line < request.size() && !request.get(line).isEmpty(); line++) {
            String[] header = request.get(line).split(": ", 2);
            headers.computeIfAbsent(header[0], name -> new ArrayList<>()).add(header[1]);
        }
        String body = String.join("\n", request.subList(Math.min(line + 1, request.size()), request.size()));
        Admission admission = gate.admit(
                RequestHead.of(start[0], start[1], null, name -> headers.getOrDefault(name, List.of())), rules);
        if (admission instanceof Admission.Refused refused) {
            return text(refused.answer());
        }
        if (admission instanceof Exchange exchange) {
            String caller = headers.getOrDefault("X-Caller", List.of("")).get(0);
            Spool content = Spool.inMemory(1000);
            content.offer(body.getBytes(StandardCharsets.UTF_8));
            return text(exchange, caller.isEmpty() ? null : caller, content, start[1]);
        }
        return "passes to the application";
    }

    private String text(Exchange exchange, String caller, Spool body, String path) {
        List<HandlerResponse> made = new ArrayList<>();
        CompletableFuture<Reply> replying = exchange.run(
                        caller,
                        body,
                        Runnable::run,
                        attempt -> handle(path).whenComplete((response, failure) -> made.add(response)))
                .toCompletableFuture();
        if (!replying.isDone()) {
            return "runs";
        }
        Reply reply = replying.join();
        if (reply instanceof Reply.Own own) {
            HandlerResponse response = made.get(0);
            return text(Answer.of(response.status(), response.headers(), response.body())
                    .with(own.extra()));
        }
        return text(((Reply.Instead) reply).answer());
    }

    private CompletionStage<HandlerResponse> handle(String path) {
        int run = runs.incrementAndGet();
        return switch (path) {
            case "/slow" -> slow;
            case "/unknown" -> CompletableFuture.failedFuture(new OutcomeUnknownException("no answer came", null));
            case "/not-executed" -> CompletableFuture.failedFuture(new NotExecutedException("not sent", null));
            case "/declined" -> CompletableFuture.completedFuture(response(402, "declined in run " + run));
            default -> CompletableFuture.completedFuture(response(201, "run " + run));
        };
    }

    private static HandlerResponse response(int status, String text) {
        List<Header> headers = List.of(
                new Header("Content-Type", "text/plain"),
                new Header("Location", "/charges/1"),
                new Header("Set-Cookie", "session=1"),
                new Header("X-Own", "1"));
        return HandlerResponse.of(status, headers, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Answer answer) {
        StringBuilder text = new StringBuilder().append(answer.status()).append('\n');
        answer.headers()
                .forEach(header -> text.append(header.name().toLowerCase(Locale.ROOT))
                        .append(": ")
                        .append(header.value())
                        .append('\n'));
        return text.append('\n')
                .append(new String(answer.body(), StandardCharsets.UTF_8))
                .toString();
    }

    private static String read() throws IOException {
        try (InputStream in = FirstReleaseExchangesTest.class.getResourceAsStream(FILE)) {
            assertThat(in).as(FILE).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
