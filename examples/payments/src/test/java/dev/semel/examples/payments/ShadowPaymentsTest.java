package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Key;
import dev.semel.Namespace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The service in shadow mode beside the service without Semel: the report tells them apart, and no client can. */
class ShadowPaymentsTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String BODY =
            "{\"item\":\"book\",\"cents\":1999,\"card\":\"4242\",\"email\":\"alice@example.com\"}";

    private static ConfigurableApplicationContext plain;
    private static ConfigurableApplicationContext shadow;

    @BeforeAll
    static void start() {
        plain = start(WithoutSemel.class, "spring.autoconfigure.exclude=dev.semel.spring.web.ServletAutoConfiguration");
        shadow = start(PaymentsApplication.class, "semel.http.shadow=true");
    }

    private static ConfigurableApplicationContext start(Class<?> configuration, String property) {
        return new SpringApplicationBuilder(PaymentsApplication.class, configuration)
                .properties("server.port=0", "processor.latency=1ms", "processor.lost-answers=0", property)
                .run();
    }

    @AfterAll
    static void stop() {
        shadow.close();
        plain.close();
    }

    /** A request that both services get; an empty key is none. */
    private record Sent(String caller, String path, String key, String body) {

        private HttpResponse<String> to(ConfigurableApplicationContext service)
                throws IOException, InterruptedException {
            String port = service.getEnvironment().getRequiredProperty("local.server.port");
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .header("Authorization", credentials(caller))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body));
            if (!key.isEmpty()) {
                request.header("Idempotency-Key", key);
            }
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        }
    }

    @Test
    void theReportNamesBothClientsAndNoResponseDiffers() throws Exception {
        List<Sent> requests = List.of(
                new Sent("alice", "/payments", "order-1", BODY),
                new Sent("alice", "/payments", "order-1", BODY),
                new Sent("bob", "/payments", UUID.randomUUID().toString(), BODY),
                new Sent("bob", "/payments", UUID.randomUUID().toString(), BODY),
                new Sent("bob", "/payments", "", BODY.replace("1999", "1")),
                new Sent("bob", "/payments", "\"not closed", BODY.replace("1999", "2")),
                new Sent("bob", "/payments", "declined", BODY.replace("4242", "0000")),
                new Sent("bob", "/payments", "declined", BODY.replace("4242", "0000")),
                new Sent("alice", "/payments", "order-1", BODY.replace("1999", "3")),
                new Sent("alice", "/payments", "broken", "no JSON"),
                new Sent("alice", "/payments/ch_1/refund", "refund", ""),
                new Sent("alice", "/payments/ch_1/refund", "refund", ""),
                new Sent("alice", "/nowhere", "k", "{}"));

        for (Sent sent : requests) {
            HttpResponse<String> expected = sent.to(plain);
            HttpResponse<String> actual = sent.to(shadow);

            assertThat(actual.statusCode()).as("%s", sent).isEqualTo(expected.statusCode());
            assertThat(headers(actual)).as("%s", sent).isEqualTo(headers(expected));
            assertThat(withoutRandomIds(actual.body())).as("%s", sent).isEqualTo(withoutRandomIds(expected.body()));
        }

        assertThat(shadow.getBean(FakeProcessor.class).chargesMade())
                .isEqualTo(plain.getBean(FakeProcessor.class).chargesMade());
        await().untilAsserted(() -> assertThat(report())
                .contains("\"requests\":12")
                .contains("\"operation\":\"payment\",\"caller\":\"alice\",\"executedTwice\":1,"
                        + "\"found\":{\"executed_twice\":1,\"key_reused\":1}")
                .contains("\"operation\":\"payment\",\"caller\":\"bob\",\"executedTwice\":1,"
                        + "\"found\":{\"executed_under_new_key\":1,\"retried_with_error\":1,\"key_missing\":1,"
                        + "\"key_invalid\":1}")
                .contains("\"operation\":\"refund\",\"caller\":\"alice\",\"executedTwice\":1"));
    }

    private static String report() throws IOException, InterruptedException {
        String port = shadow.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/semelshadow"))
                .header("Authorization", credentials("operator"))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString()).body();
    }

    private static String credentials(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    /** The processor gives each charge and refund a new id. */
    private static String withoutRandomIds(String body) {
        return body.replaceAll("(ch|re)_[0-9a-f-]{36}", "$1_…").replaceAll("\"timestamp\":\"[^\"]*\"", "");
    }

    private static Map<String, List<String>> headers(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        return headers;
    }

    /** Resolves the attempt parameter of handlers in an application without Semel. */
    static class WithoutSemel implements WebMvcConfigurer {

        @Override
        public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
            resolvers.add(new HandlerMethodArgumentResolver() {
                @Override
                public boolean supportsParameter(MethodParameter parameter) {
                    return parameter.getParameterType() == Attempt.class;
                }

                @Override
                public Object resolveArgument(
                        MethodParameter parameter,
                        ModelAndViewContainer container,
                        NativeWebRequest request,
                        WebDataBinderFactory binders) {
                    return new NoAttempt(
                            Namespace.DEFAULT.key("none", UUID.randomUUID().toString()));
                }
            });
        }
    }

    private record NoAttempt(Key key) implements Attempt {

        @Override
        public long token() {
            return 0;
        }

        @Override
        public int number() {
            return 1;
        }

        @Override
        public boolean isLeaseLost() {
            return false;
        }

        @Override
        public <R> R step(String name, Codec<R> codec, Callable<R> work) throws Exception {
            return work.call();
        }

        @Override
        public <R> CompletionStage<R> stepAsync(String name, Codec<R> codec, Supplier<CompletionStage<R>> work) {
            return work.get();
        }
    }
}
