package dev.semel.examples.payments;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.policy.Recovery;
import dev.semel.spring.Idempotent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The payment service with the {@link SoakProcessor}, few connections and short limits. */
final class SoakService {

    static final String LISTENS = "the service listens";
    static final int POOL = 5;

    public static void main(String[] arguments) {
        new SpringApplicationBuilder(PaymentsApplication.class, SoakService.class)
                .properties(
                        "semel.lease=2s",
                        "semel.maintenance-interval=1s",
                        "semel.shutdown-grace=3s",
                        "spring.lifecycle.timeout-per-shutdown-phase=3s",
                        "spring.mvc.async.request-timeout=1500ms",
                        "spring.datasource.username=postgres",
                        "spring.datasource.hikari.maximum-pool-size=" + POOL,
                        "spring.datasource.hikari.connection-timeout=1500",
                        "logging.level.root=WARN")
                .run(arguments);
        System.out.println(LISTENS);
    }

    /** How the service talks to the processor. */
    record ProcessorConnection(HttpClient client, String uri) {

        HttpResponse<String> send(String path) throws IOException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(uri + path))
                    .timeout(Duration.ofSeconds(4))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            try {
                return client.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        /** Sends a request that is safe to repeat until it is answered. */
        HttpResponse<String> insist(String path) {
            for (int tries = 1; ; tries++) {
                try {
                    HttpResponse<String> answer = send(path);
                    if (answer.statusCode() < 403) {
                        return answer;
                    }
                    throw new IOException("denied with " + answer.statusCode());
                } catch (IOException e) {
                    if (tries == 3) {
                        throw new OutcomeUnknownException("the processor did not answer", e);
                    }
                }
            }
        }
    }

    @Bean
    ProcessorConnection toProcessor(@Value("${soak.processor}") String uri) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new ProcessorConnection(client, uri);
    }

    @Bean
    @Primary
    FakeProcessor processor(ProcessorConnection toProcessor) {
        return new FakeProcessor(Duration.ZERO, 0, Duration.ofSeconds(15)) {
            @Override
            String charge(String key, String card, int cents) {
                HttpResponse<String> answer = toProcessor.insist("/charge/" + card + "/" + key);
                if (answer.statusCode() == 402) {
                    throw new CardDeclinedException(card);
                }
                return answer.body();
            }

            @Override
            String refund(String charge, String reference) throws IOException {
                HttpResponse<String> answer = toProcessor.send("/refund/" + charge + "/" + reference);
                if (answer.statusCode() != 200) {
                    throw new NotExecutedException("the processor denied the refund", null);
                }
                return answer.body();
            }

            @Override
            Optional<String> findRefund(String reference) {
                try {
                    HttpResponse<String> answer = toProcessor.send("/find/refund/" + reference);
                    return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
                } catch (IOException e) {
                    throw new OutcomeUnknownException("the processor did not answer", e);
                }
            }
        };
    }

    @Bean
    @Primary
    FakeMailer mailer(ProcessorConnection toProcessor) {
        return new FakeMailer() {
            @Override
            String send(String key, String to, String text) {
                return toProcessor.insist("/mail/" + to + "/" + key).body();
            }
        };
    }

    /**
     * Pays out with a request that must not be repeated. Sometimes it takes longer than the container allows, and it is
     * denied before or after the payout if the caller asks for that. The condition keeps it out of other tests.
     */
    @RestController
    @ConditionalOnProperty("soak.processor")
    static final class Payouts {

        record Request(String id, String deny) {}

        private final ProcessorConnection toProcessor;
        private final DataSource database;
        private final ExecutorService threads = Executors.newFixedThreadPool(8);

        Payouts(ProcessorConnection toProcessor, DataSource database) {
            this.toProcessor = toProcessor;
            this.database = database;
        }

        @Idempotent(value = "payout", recovery = Recovery.HOLD)
        @PostMapping("/payouts")
        CompletableFuture<String> payOut(@RequestBody Request request, Attempt attempt) {
            return CompletableFuture.supplyAsync(() -> payOut(request), threads);
        }

        private String payOut(Request request) {
            denyIf(request.deny(), "before");
            try {
                HttpResponse<String> answer = toProcessor.send("/payout/" + request.id() + "/any");
                if (answer.statusCode() != 200) {
                    throw new NotExecutedException("the processor denied the payout", null);
                }
                denyIf(request.deny(), "after");
                return answer.body();
            } catch (IOException e) {
                throw new OutcomeUnknownException("the processor did not answer", e);
            }
        }

        private static void denyIf(String wish, String moment) {
            if (wish.equals(moment + "-403")) {
                throw new AccessDeniedException("as the caller wished");
            }
            if (wish.equals(moment + "-429")) {
                throw new ResponseStatusException(HttpStatus.TOO_MANY_REQUESTS, "as the caller wished");
            }
        }

        /** Keeps all connections of the pool for a while. */
        @PostMapping("/hog")
        void hog(@RequestBody long milliseconds) throws SQLException, InterruptedException {
            List<Connection> taken = new ArrayList<>();
            try {
                for (int i = 0; i < POOL; i++) {
                    taken.add(database.getConnection());
                }
                Thread.sleep(milliseconds);
            } finally {
                for (Connection connection : taken) {
                    connection.close();
                }
            }
        }
    }
}
