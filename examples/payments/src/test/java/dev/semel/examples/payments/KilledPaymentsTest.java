package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The process is killed at each step of a payment, and the client retries, at another node, until it is told an outcome:
 * the card is charged once, and there is one order.
 */
class KilledPaymentsTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static EmbeddedPostgres postgres;
    private static Outside outside;
    private static ConfigurableApplicationContext survivor;

    private final String id = UUID.randomUUID().toString();

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        outside = new Outside();
        survivor = DoomedPayments.start(properties());
    }

    @AfterAll
    static void stop() throws IOException {
        survivor.close();
        outside.close();
        postgres.close();
    }

    private static String[] properties() {
        return new String[] {
            "spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"), "outside=" + outside.url()
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "before claim of the payment",
                "after claim of the payment",
                "before charge",
                "after charge",
                "before step charge",
                "after step charge",
                "before claim of the order",
                "after claim of the order",
                "before settle of the order",
                "after settle of the order",
                "before mail",
                "after mail",
                "before step receipt",
                "after step receipt",
                "before settle of the payment",
                "after settle of the payment"
            })
    void endsWithOneChargeAndOneOrder(String point) throws Exception {
        Process doomed = doomed(point);
        try {
            pay(port(doomed));
            assertThat(doomed.waitFor(30, TimeUnit.SECONDS))
                    .as("the process died")
                    .isTrue();
            assertThat(doomed.exitValue()).isEqualTo(DoomedPayments.KILLED);
        } finally {
            doomed.destroyForcibly();
        }

        String port = survivor.getEnvironment().getRequiredProperty("local.server.port");
        HttpResponse<String> told = await().atMost(Duration.ofSeconds(60))
                .until(() -> CLIENT.send(request(port), HttpResponse.BodyHandlers.ofString()), answer -> {
                    assertThat(answer.statusCode()).as(answer.body()).isIn(201, 409, 503);
                    return answer.statusCode() == 201;
                });

        assertThat(outside.effects("charge", id)).as("charges").isEqualTo(1);
        assertThat(orders()).as("orders").isEqualTo(1);
        assertThat(outside.effects("mail", id)).as("receipts").isEqualTo(1);
        HttpResponse<String> again = CLIENT.send(request(port), HttpResponse.BodyHandlers.ofString());
        assertThat(again.body()).isEqualTo(told.body());
        assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    }

    private static Process doomed(String point) throws IOException {
        ProcessBuilder process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedPayments.class.getName(),
                "die.at=" + point,
                properties()[0],
                properties()[1]);
        return process.redirectErrorStream(true).start();
    }

    /** Reads what the process prints until it listens; the rest is read so that it never waits for a reader. */
    private static String port(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        StringBuilder printed = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(DoomedPayments.LISTENS)) {
                Thread rest = new Thread(() -> output.lines().forEach(ignored -> {}));
                rest.setDaemon(true);
                rest.start();
                return line.substring(DoomedPayments.LISTENS.length());
            }
            printed.append(line).append('\n');
        }
        throw new IOException("the service did not start: " + printed);
    }

    /** Whatever comes back, or does not, the process dies on the way. */
    private void pay(String port) {
        CLIENT.sendAsync(request(port), HttpResponse.BodyHandlers.discarding());
    }

    private HttpRequest request(String port) {
        String body = "{\"item\":\"%1$s\",\"cents\":1999,\"card\":\"%1$s\",\"email\":\"%1$s\"}".formatted(id);
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .timeout(Duration.ofSeconds(30))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8)))
                .header("Idempotency-Key", id)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private long orders() {
        return survivor.getBean(JdbcClient.class)
                .sql("SELECT count(*) FROM orders WHERE item = ?")
                .param(id)
                .query(Long.class)
                .single();
    }
}
