package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.careless.CarelessPayments;
import dev.semel.spring.test.CrashPoints;
import dev.semel.spring.test.CrashReport;
import dev.semel.spring.test.CrashResult;
import dev.semel.spring.test.CrashVerdict;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The process is killed at each call of a payment, and the client retries until it has an answer. */
class KilledPaymentsTest {

    private static EmbeddedPostgres postgres;
    private static Outside outside;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        outside = new Outside();
    }

    @AfterAll
    static void stop() throws IOException {
        outside.close();
        postgres.close();
    }

    private static CrashPoints.Builder payments() {
        return CrashPoints.of(PaymentsApplication.class)
                .jvmOptions("-XX:+UseSerialGC", "-Xmx256m")
                .properties(
                        "spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                        "outside=" + outside.url());
    }

    @Test
    void everyCrashEndsWithOneChargeOneOrderAndOneReceipt() {
        // quoted: crash-points
        CrashReport report = payments()
                .with(PaymentPartners.class)
                .request(KilledPaymentsTest::payment)
                .effects("charges", key -> outside.effects("charge", key))
                .effects("orders", key -> orders(key))
                .effects("receipts", key -> outside.effects("mail", key))
                .run();

        report.requireOnce();
        // end
        assertThat(report.results())
                .filteredOn(CrashResult::crashed)
                .extracting(CrashResult::point)
                .contains(
                        "before the store's claim",
                        "after the store's claim",
                        "before Payments.pay",
                        "after FakeProcessor.charge",
                        "before the store's record step",
                        "after Orders.place",
                        "after the store's settle in transaction",
                        "before a commit",
                        "after a commit",
                        "before FakeMailer.send",
                        "before the store's settle",
                        "after the store's settle");
    }

    /** A mistake that no ordinary test shows: each request is answered as it should be. */
    @Test
    void aChargeWithoutAChildKeyIsFoundToHappenTwice() {
        CrashReport report = payments()
                .with(CarelessPayments.class, CarelessPayments.Configuration.class)
                .packages("dev.semel.examples.careless")
                .request((service, key) -> guarded(service, "/careless/" + key, key)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build())
                .effects("charges", key -> outside.effects("charge", key))
                .run();

        assertThat(report.unsafe())
                .extracting(CrashResult::point)
                .containsExactly("after Provider.charge", "after CarelessPayments.pay", "before the store's settle");
        assertThat(report.unsafe()).extracting(CrashResult::verdict).containsOnly(CrashVerdict.TWICE);
        assertThat(report.results())
                .filteredOn(result -> result.point().equals("before Provider.charge"))
                .extracting(CrashResult::verdict)
                .containsExactly(CrashVerdict.ONCE);
    }

    private static HttpRequest payment(URI service, String key) {
        String body = "{\"item\":\"%1$s\",\"cents\":1999,\"card\":\"%1$s\",\"email\":\"%1$s\"}".formatted(key);
        return guarded(service, "/payments", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static HttpRequest.Builder guarded(URI service, String path, String key) {
        String alice = Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(service.resolve(path))
                .header("Authorization", "Basic " + alice)
                .header("Idempotency-Key", key);
    }

    private static long orders(String key) {
        return JdbcClient.create(postgres.getPostgresDatabase())
                .sql("SELECT count(*) FROM orders WHERE item = ?")
                .param(key)
                .query(Long.class)
                .single();
    }
}
