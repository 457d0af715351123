package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.client.apache.IdempotentAsyncHttpClient;
import dev.semel.client.apache.IdempotentExecChainHandler;
import dev.semel.client.feign.IdempotentFeignClient;
import dev.semel.client.okhttp.IdempotentOkHttpInterceptor;
import feign.DefaultClient;
import feign.Request;
import feign.Util;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.RequestBody;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys and retries in the clients that applications have already. */
class ClientLibrariesTest {

    private static final RetryPolicy RETRIES = RetryPolicy.builder()
            .maxAttempts(4)
            .delays(Duration.ofMillis(1), Duration.ofMillis(5))
            .deadline(Duration.ofSeconds(30))
            .build();

    private static final String PENDING = "{\"outcome\":\"pending\",\"retry\":\"same-key\"}";

    record Answer(int status, String body) {}

    enum Library {
        OKHTTP {
            @Override
            Answer send(IdempotentRequests requests, String method, URI uri, String body) throws Exception {
                OkHttpClient client = new OkHttpClient.Builder()
                        .addInterceptor(new IdempotentOkHttpInterceptor(requests))
                        .build();
                okhttp3.Request request = new okhttp3.Request.Builder()
                        .url(uri.toString())
                        .header("Authorization", "Bearer a")
                        .method(
                                method,
                                method.equals("GET")
                                        ? null
                                        : RequestBody.create(body, MediaType.get("application/json")))
                        .build();
                try (okhttp3.Response response = client.newCall(request).execute()) {
                    return new Answer(response.code(), response.body().string());
                } finally {
                    client.dispatcher().executorService().shutdown();
                    client.connectionPool().evictAll();
                }
            }
        },
        APACHE {
            @Override
            Answer send(IdempotentRequests requests, String method, URI uri, String body) throws Exception {
                ClassicRequestBuilder request =
                        ClassicRequestBuilder.create(method).setUri(uri).setHeader("Authorization", "Bearer a");
                if (!method.equals("GET")) {
                    request.setEntity(body, ContentType.APPLICATION_JSON);
                }
                try (CloseableHttpClient client = HttpClients.custom()
                        .disableAutomaticRetries()
                        .addExecInterceptorFirst("semel", new IdempotentExecChainHandler(requests))
                        .build()) {
                    return client.execute(
                            request.build(),
                            response -> new Answer(response.getCode(), EntityUtils.toString(response.getEntity())));
                }
            }
        },
        APACHE_ASYNC {
            @Override
            Answer send(IdempotentRequests requests, String method, URI uri, String body) throws Exception {
                SimpleRequestBuilder request =
                        SimpleRequestBuilder.create(method).setUri(uri).setHeader("Authorization", "Bearer a");
                if (!method.equals("GET")) {
                    request.setBody(body, ContentType.APPLICATION_JSON);
                }
                try (CloseableHttpAsyncClient client =
                        HttpAsyncClients.custom().disableAutomaticRetries().build()) {
                    client.start();
                    SimpleHttpResponse response = new IdempotentAsyncHttpClient(client, requests)
                            .execute(request.build())
                            .join();
                    return new Answer(response.getCode(), response.getBodyText());
                } catch (CompletionException e) {
                    throw (Exception) e.getCause();
                }
            }
        },
        FEIGN {
            @Override
            Answer send(IdempotentRequests requests, String method, URI uri, String body) throws Exception {
                Map<String, Collection<String>> headers = new LinkedHashMap<>();
                headers.put("Authorization", List.of("Bearer a"));
                headers.put("Content-Type", List.of("application/json"));
                Request request = Request.create(
                        Request.HttpMethod.valueOf(method),
                        uri.toString(),
                        headers,
                        method.equals("GET") ? null : body.getBytes(StandardCharsets.UTF_8),
                        StandardCharsets.UTF_8,
                        null);
                try (feign.Response response = new IdempotentFeignClient(new DefaultClient(null, null), requests)
                        .execute(request, new Request.Options())) {
                    return new Answer(
                            response.status(),
                            new String(Util.toByteArray(response.body().asInputStream()), StandardCharsets.UTF_8));
                }
            }
        };

        abstract Answer send(IdempotentRequests requests, String method, URI uri, String body) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void keepsKeyAndBodyWhenAnAnswerIsLost(Library library) throws Exception {
        AtomicInteger sent = new AtomicInteger();
        RawServer.Response lost = RawServer.Response.of(201, "lost");
        try (RawServer server = new RawServer(request -> sent.incrementAndGet() == 1
                ? lost.cutAt(lost.send() - 1)
                : RawServer.Response.of(201, "made", "X-Idempotency-Replayed", "true"))) {
            Answer answer = library.send(requests().build(), "POST", server.uri("/charges"), "{\"amount\":1}");

            assertThat(answer).isEqualTo(new Answer(201, "made"));
            assertThat(server.requests).hasSize(2);
            assertThat(server.requests)
                    .extracting(request -> request.headers().get("Idempotency-Key"))
                    .doesNotContainNull()
                    .containsOnly(server.requests.get(0).headers().get("Idempotency-Key"));
            assertThat(server.requests).extracting(RawServer.Request::text).containsOnly("{\"amount\":1}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void asksForTheOutcomeOfARequestThatStillRuns(Library library) throws Exception {
        AtomicInteger sent = new AtomicInteger();
        try (RawServer server = new RawServer(request -> switch (sent.incrementAndGet()) {
            case 1 -> RawServer.Response.of(409, PENDING, "Content-Type", "application/problem+json");
            case 2 -> RawServer.Response.of(202, PENDING, "Location", "/operations/1");
            default -> RawServer.Response.of(201, "made", "X-Idempotency-Replayed", "true");
        })) {
            Answer answer = library.send(requests().build(), "POST", server.uri("/charges"), "{}");

            assertThat(answer.body()).isEqualTo("made");
            RawServer.Request question = server.requests.get(2);
            assertThat(question.method()).isEqualTo("GET");
            assertThat(question.path()).isEqualTo("/operations/1");
            assertThat(question.headers())
                    .containsEntry("Authorization", "Bearer a")
                    .doesNotContainKey("Idempotency-Key");
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNotRepeatARefusal(Library library) throws Exception {
        try (RawServer server = new RawServer(
                request -> RawServer.Response.of(422, "{\"outcome\":\"unknown\",\"retry\":\"new-key\"}"))) {
            assertThat(library.send(requests().build(), "POST", server.uri("/charges"), "{}")
                            .status())
                    .isEqualTo(422);
            assertThat(server.requests).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesUpAfterSoManyAttempts(Library library) throws Exception {
        try (RawServer server = new RawServer(request -> RawServer.Response.of(503, ""))) {
            assertThatThrownBy(() -> library.send(requests().build(), "POST", server.uri("/charges"), "{}"))
                    .satisfies(
                            failure -> assertThat(failure instanceof NoAnswerException ? failure : failure.getCause())
                                    .isInstanceOf(MaybeAppliedException.class));
            assertThat(server.requests).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesTheNameOfTheHeader(Library library) throws Exception {
        try (RawServer server = new RawServer(request -> RawServer.Response.of(201, "made"))) {
            library.send(
                    requests()
                            .headerName("PayPal-Request-Id")
                            .format(KeyFormat.BARE)
                            .build(),
                    "POST",
                    server.uri("/orders"),
                    "{}");

            assertThat(server.requests.get(0).headers())
                    .hasEntrySatisfying(
                            "PayPal-Request-Id", key -> assertThat(key).doesNotContain("\""))
                    .doesNotContainKey("Idempotency-Key");
        }
    }

    @ParameterizedTest
    @EnumSource
    void putsTheKeyIntoTheBody(Library library) throws Exception {
        AtomicInteger sent = new AtomicInteger();
        try (RawServer server = new RawServer(request ->
                sent.incrementAndGet() == 1 ? RawServer.Response.of(503, "") : RawServer.Response.of(200, "made"))) {
            library.send(
                    requests().bodyMember("idempotency_key").build(), "POST", server.uri("/pay"), "{\"amount\":1}");

            assertThat(server.requests).hasSize(2);
            assertThat(server.requests.get(0).text())
                    .matches("\\{\"idempotency_key\":\"[0-9a-f-]{36}\",\"amount\":1}")
                    .isEqualTo(server.requests.get(1).text());
            assertThat(server.requests.get(0).headers()).doesNotContainKey("Idempotency-Key");
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesOtherMethodsAlone(Library library) throws Exception {
        try (RawServer server = new RawServer(request -> RawServer.Response.of(200, "read"))) {
            assertThat(library.send(requests().build(), "GET", server.uri("/charges"), "")
                            .body())
                    .isEqualTo("read");
            assertThat(server.requests.get(0).headers()).doesNotContainKey("Idempotency-Key");
        }
    }

    /** Apache HttpClient repeats the request that it was given first, and not the one that an interceptor has made of it. */
    @Test
    void whatApacheRepeatsByItselfHasTheKeyToo() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        try (RawServer server = new RawServer(request -> sent.incrementAndGet() == 1
                        ? RawServer.Response.of(503, "", "Retry-After", "0")
                        : RawServer.Response.of(201, "made"));
                CloseableHttpClient client = HttpClients.custom()
                        .setRetryStrategy(new DefaultHttpRequestRetryStrategy(1, TimeValue.ofMilliseconds(1)))
                        .addExecInterceptorFirst(
                                "semel",
                                new IdempotentExecChainHandler(requests().build()))
                        .build()) {
            client.execute(
                    ClassicRequestBuilder.post(server.uri("/charges"))
                            .setEntity("{}", ContentType.APPLICATION_JSON)
                            .build(),
                    response -> response.getCode());

            assertThat(server.requests)
                    .hasSize(2)
                    .extracting(request -> request.headers().get("Idempotency-Key"))
                    .doesNotContainNull()
                    .containsOnly(server.requests.get(0).headers().get("Idempotency-Key"));
        }
    }

    private static IdempotentRequests.Builder requests() {
        return IdempotentRequests.builder().retries(RETRIES);
    }
}
