package dev.semel.client.feign;

import dev.semel.client.IdempotentCallException;
import dev.semel.client.IdempotentRequests;
import dev.semel.client.RetryLoop;
import dev.semel.client.ServerAnswer;
import feign.Client;
import feign.Request;
import feign.Response;
import feign.Util;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A client for Feign that gives requests a key, and retries them under it if that is safe. Put it around the client
 * that sends: {@code Feign.builder().client(new IdempotentFeignClient(new Client.Default(null, null), requests))}, and
 * leave Feign's own {@code Retryer} as {@code Retryer.NEVER_RETRY}. If the retries end without a response, an {@link
 * IOException} is thrown; its cause says why.
 */
public final class IdempotentFeignClient implements Client {

    private final Client client;
    private final IdempotentRequests requests;

    public IdempotentFeignClient(Client client, IdempotentRequests requests) {
        this.client = client;
        this.requests = requests;
    }

    @Override
    public Response execute(Request request, Request.Options options) throws IOException {
        String method = request.httpMethod().name();
        if (!requests.guards(method)) {
            return client.execute(request, options);
        }
        byte[] body = request.body() == null ? new byte[0] : request.body();
        Map<String, Collection<String>> headers = new LinkedHashMap<>(request.headers());
        String header = requests.header().orElse("");
        String key = requests.key(first(headers, header).orElse(null), body);
        if (!header.isEmpty()) {
            headers.keySet().removeIf(header::equalsIgnoreCase);
            headers.put(header, List.of(key));
        }
        byte[] content = requests.body(key, body);
        if (content.length != body.length) {
            headers.keySet().removeIf("Content-Length"::equalsIgnoreCase);
        }
        Request keyed = Request.create(
                request.httpMethod(),
                request.url(),
                headers,
                request.body() == null ? null : content,
                request.charset(),
                request.requestTemplate());
        try {
            return requests.send(method, URI.create(request.url()), key, new Sender(keyed, options));
        } catch (IdempotentCallException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Optional<String> first(Map<String, Collection<String>> headers, String name) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .flatMap(header -> header.getValue().stream())
                .findFirst();
    }

    private final class Sender implements RetryLoop.Sender<Response> {

        private final Request request;
        private final Request.Options options;

        private Sender(Request request, Request.Options options) {
            this.request = request;
            this.options = options;
        }

        @Override
        public CompletionStage<ServerAnswer<Response>> send(Duration timeout) {
            return exchange(request);
        }

        @Override
        public CompletionStage<ServerAnswer<Response>> ask(URI location, Duration timeout) {
            Map<String, Collection<String>> headers = new LinkedHashMap<>(request.headers());
            headers.keySet().removeIf(name -> !requests.identifiesCaller(name));
            return exchange(Request.create(
                    Request.HttpMethod.GET,
                    location.toString(),
                    headers,
                    null,
                    request.charset(),
                    request.requestTemplate()));
        }

        /** The client that comes with Feign does not notice that a body breaks off. */
        private static void requireWhole(Response response, byte[] body) throws IOException {
            Integer announced = response.body() == null ? null : response.body().length();
            if (announced != null
                    && announced > body.length
                    && first(response.headers(), "Content-Encoding").isEmpty()) {
                throw new IOException("the response broke off after " + body.length + " of " + announced + " bytes");
            }
        }

        private CompletionStage<ServerAnswer<Response>> exchange(Request sent) {
            try (Response response = client.execute(sent, options)) {
                byte[] body = response.body() == null
                        ? new byte[0]
                        : Util.toByteArray(response.body().asInputStream());
                requireWhole(response, body);
                // What is decoded is decoded once, with the request that the caller has made.
                Response whole =
                        response.toBuilder().request(request).body(body).build();
                return CompletableFuture.completedFuture(
                        new ServerAnswer<>(response.status(), name -> first(response.headers(), name), body, whole));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }
}
