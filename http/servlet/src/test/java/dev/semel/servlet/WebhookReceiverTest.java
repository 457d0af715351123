package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.dialect.Dialect;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.testkit.SettableClock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver of webhooks on Tomcat, to which a provider with the library of Standard Webhooks delivers for days. */
class WebhookReceiverTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER_SECRET = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=";
    private static final String PAID = "{\"type\":\"invoice.paid\",\"amount\":1}";

    @TempDir
    Path directory;

    private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private final Semel semel =
            Semel.builder(InMemoryKeyStore.builder().clock(clock).build()).build();
    private final HttpGate gate =
            HttpGate.builder(semel).clock(clock.withZone(ZoneOffset.UTC)).build();
    private final HttpRules rules = HttpRules.builder(Policy.external("invoice-paid")
                    .recovery(Recovery.RE_EXECUTE)
                    .retention(Objects.requireNonNull(Dialect.named("webhook").retention()))
                    .build())
            .dialect(Dialect.named("webhook"))
            .signatureSecrets(SECRET)
            .build();
    private final AtomicInteger runs = new AtomicInteger();
    private final Tomcat tomcat = new Tomcat();
    private final HttpClient provider = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", directory.toString());
        FilterDef definition = new FilterDef();
        definition.setFilterName("semel");
        definition.setFilter(SemelFilter.builder(gate, rules).build());
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("semel");
        map.addURLPattern("/*");
        context.addFilterMap(map);
        Tomcat.addServlet(context, "receiver", new Receiver(runs)).setAsyncSupported(true);
        context.addServletMappingDecoded("/webhooks", "receiver");
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        semel.close();
    }

    private static final class Receiver extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient AtomicInteger runs;

        private Receiver(AtomicInteger runs) {
            this.runs = runs;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            runs.incrementAndGet();
            response.setStatus(HttpServletResponse.SC_ACCEPTED);
        }
    }

    private HttpResponse<String> deliver(String id, String body, String secret) throws Exception {
        long time = clock.instant().getEpochSecond();
        return provider.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/webhooks"))
                        .header("Content-Type", "application/json")
                        .header(Webhook.UNBRANDED_MSG_ID_KEY, id)
                        .header(Webhook.UNBRANDED_MSG_TIMESTAMP_KEY, Long.toString(time))
                        .header(Webhook.UNBRANDED_MSG_SIGNATURE_KEY, new Webhook(secret).sign(id, time, body))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void runsADeliveryOnceThatIsRepeatedForThreeDays() throws Exception {
        for (int hours = 0; hours <= 72; hours++) {
            assertThat(deliver("msg_1", PAID, SECRET).statusCode())
                    .as("after %d hours", hours)
                    .isEqualTo(202);
            clock.advance(Duration.ofHours(1));
        }
        assertThat(runs).hasValue(1);

        assertThat(deliver("msg_2", PAID, SECRET).statusCode()).isEqualTo(202);
        assertThat(runs).hasValue(2);
    }

    @Test
    void acknowledgesAKnownIdWithAnotherBodyAndDoesNotRunIt() throws Exception {
        deliver("msg_1", PAID, SECRET);
        clock.advance(Duration.ofDays(1));

        HttpResponse<String> other = deliver("msg_1", PAID.replace('1', '2'), SECRET);
        assertThat(other.statusCode()).isEqualTo(200);
        assertThat(other.body()).contains("received_before");
        assertThat(runs).hasValue(1);
    }

    @Test
    void refusesAWrongSignatureWithoutNamingTheId() throws Exception {
        HttpResponse<String> unknown = deliver("msg_1", PAID, OTHER_SECRET);
        deliver("msg_1", PAID, SECRET);
        HttpResponse<String> known = deliver("msg_1", PAID, OTHER_SECRET);

        assertThat(known.statusCode()).isEqualTo(401).isEqualTo(unknown.statusCode());
        assertThat(known.body()).isEqualTo(unknown.body()).contains("signature_invalid");
        assertThat(runs).hasValue(1);
    }
}
