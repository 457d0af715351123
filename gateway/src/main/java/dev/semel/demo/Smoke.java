package dev.semel.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Runs the steps that the demo invites people to try, and checks the results. */
public final class Smoke {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String HUNDRED = "{\"amount\": 100}";

    private final Demo demo;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Row> rows = new ArrayList<>();

    private record Row(String what, String expected, String got) {

        boolean ok() {
            return expected.equals(got);
        }
    }

    public Smoke(Demo demo) {
        this.demo = demo;
    }

    /** Runs the five calls and prints a table; {@code true} if all went as promised. */
    public boolean run(PrintWriter out) throws IOException, InterruptedException {
        HttpResponse<String> first = post("/charges", "order-1", HUNDRED);
        note("first call", "201, 1 charge", first.statusCode() + ", " + charges("order-1"));

        HttpResponse<String> again = post("/charges", "order-1", HUNDRED);
        note(
                "replay",
                "201 replayed, same body, 1 charge",
                replayed(again)
                        + (again.body().equals(first.body()) ? ", same body, " : ", other body, ")
                        + charges("order-1"));

        HttpResponse<String> other = post("/charges", "order-1", "{\"amount\": 999}");
        note("other body", "422, 1 charge", other.statusCode() + ", " + charges("order-1"));

        note("two at once", "201 and 409, 1 charge", twoAtOnce() + ", " + charges("order-2"));

        HttpResponse<String> crashed = post("/charges?crash=1", "order-3", HUNDRED);
        note("crash", "502, 1 charge", crashed.statusCode() + ", " + charges("order-3"));
        note("recover", "201 replayed, 1 charge", replayed(recovered()) + ", " + charges("order-3"));

        print(out);
        return rows.stream().allMatch(Row::ok);
    }

    private String twoAtOnce() {
        CompletableFuture<HttpResponse<String>> one =
                client.sendAsync(request("/charges?delay=1000", "order-2", HUNDRED), BodyHandlers.ofString());
        CompletableFuture<HttpResponse<String>> two =
                client.sendAsync(request("/charges?delay=1000", "order-2", HUNDRED), BodyHandlers.ofString());
        return String.join(
                " and ",
                Stream.of(one, two)
                        .map(each -> Integer.toString(each.join().statusCode()))
                        .sorted()
                        .toList());
    }

    /** Retries, as long as the service asks for it, until the lease of the dead attempt has lapsed. */
    private HttpResponse<String> recovered() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        HttpResponse<String> response = post("/charges?crash=1", "order-3", HUNDRED);
        while (response.statusCode() == 409 && System.nanoTime() < deadline) {
            long seconds = response.headers().firstValueAsLong("Retry-After").orElse(1);
            Thread.sleep(Duration.ofSeconds(seconds).toMillis());
            response = post("/charges?crash=1", "order-3", HUNDRED);
        }
        return response;
    }

    private HttpResponse<String> post(String path, String key, String body) throws IOException, InterruptedException {
        return client.send(request(path, key, body), BodyHandlers.ofString());
    }

    private HttpRequest request(String path, String key, String body) {
        return HttpRequest.newBuilder(URI.create(demo.gatewayUrl() + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static String replayed(HttpResponse<String> response) {
        return response.statusCode()
                + (response.headers().firstValue("Idempotent-Replayed").isPresent() ? " replayed" : " executed");
    }

    private String charges(String key) {
        long charges = demo.charges(key);
        return charges + (charges == 1 ? " charge" : " charges");
    }

    private void note(String what, String expected, String got) {
        rows.add(new Row(what, expected, got));
    }

    private void print(PrintWriter out) {
        String format = "%-12s  %-34s  %-34s  %s%n";
        out.printf(format, "CALL", "PROMISED", "HAPPENED", "");
        rows.forEach(row -> out.printf(format, row.what(), row.expected(), row.got(), row.ok() ? "ok" : "WRONG"));
        out.flush();
    }
}
