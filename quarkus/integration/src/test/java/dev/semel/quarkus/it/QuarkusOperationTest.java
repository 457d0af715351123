package dev.semel.quarkus.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.http.SwitchableStore;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see of an application that has quarkus-smallrye-health and quarkus-micrometer. */
@QuarkusTest
class QuarkusOperationTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration LONG = Duration.ofSeconds(30);
    /** A JSON object, with at most one object for its data inside. */
    private static final Pattern CHECK = Pattern.compile("\\{[^{}]*\"semel\"[^{}]*(\\{[^{}]*})?");

    @TestHTTPResource("/")
    URI uri;

    @Inject
    SwitchableStore store;

    @AfterEach
    void heal() {
        store.down(false);
    }

    @Test
    void theApplicationIsReadyWhileTheStoreAnswers() throws Exception {
        Awaitility.await().atMost(LONG).until(() -> ready().statusCode() == 200);
        assertThat(check()).contains("\"UP\"").doesNotContain("since", "reason");

        store.down(true);
        Awaitility.await().atMost(LONG).until(() -> ready().statusCode() == 503);
        assertThat(check()).contains("\"DOWN\"", "\"since\"", "\"reason\"");

        store.down(false);
        Awaitility.await().atMost(LONG).until(() -> ready().statusCode() == 200);
    }

    @Test
    void theMetersAreInTheRegistryOfTheApplication() throws Exception {
        double missed = counted("miss");
        double hit = counted("hit");
        double freshKeys = counted("fresh_key_retries");
        String key = UUID.randomUUID().toString();
        String body = "metered " + key;
        post(key, body);
        post(key, body);
        post(UUID.randomUUID().toString(), body);

        assertThat(counted("miss") - missed).isEqualTo(2);
        assertThat(counted("hit") - hit).isEqualTo(1);
        assertThat(counted("fresh_key_retries") - freshKeys).isEqualTo(1);
        assertThat(get("q/metrics").body().lines())
                .anyMatch(line -> line.startsWith("idempotency_running{"))
                .anyMatch(line -> line.startsWith("idempotency_store_up{"));
    }

    /** How often that happened to the operation of this test, whatever the outcome. */
    private double counted(String meter) throws Exception {
        return get("q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("idempotency_" + meter + "_total{"))
                .filter(line -> line.contains("operation=\"own\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private HttpResponse<String> ready() throws Exception {
        return get("q/health/ready");
    }

    /** What is said about Semel, which is one of several checks. */
    private String check() throws Exception {
        Matcher check = CHECK.matcher(ready().body());
        assertThat(check.find()).isTrue();
        return check.group();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(uri.resolve(path)).timeout(LONG).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void post(String key, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri.resolve("own/text"))
                .timeout(LONG)
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
    }
}
