package dev.semel.client.apache;

import dev.semel.client.IdempotentRequests;
import dev.semel.client.RetryLoop;
import dev.semel.client.ServerAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * Gives requests of the classic Apache HttpClient a key, and retries them under it if that is safe. Add it with
 * {@code addExecInterceptorFirst}, and with {@code disableAutomaticRetries}, so that only one of the two retries. Requests
 * and responses are read whole.
 */
public final class IdempotentExecChainHandler implements ExecChainHandler {

    private final IdempotentRequests requests;

    public IdempotentExecChainHandler(IdempotentRequests requests) {
        this.requests = requests;
    }

    @Override
    public ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
            throws IOException, HttpException {
        if (!requests.guards(request.getMethod())) {
            return chain.proceed(request, scope);
        }
        HttpEntity given = request.getEntity();
        byte[] body = bytes(given);
        String header = requests.header().orElse("");
        Header own = header.isEmpty() ? null : request.getFirstHeader(header);
        String key = requests.key(own == null ? null : own.getValue(), body);
        ClassicHttpRequest keyed = ClassicRequestBuilder.copy(request).build();
        if (!header.isEmpty()) {
            keyed.setHeader(header, key);
        }
        if (given != null) {
            String type = given.getContentType();
            keyed.setEntity(
                    new ByteArrayEntity(requests.body(key, body), type == null ? null : ContentType.parse(type)));
        }
        // What HttpClient repeats by itself is the original request, which must have the key too.
        ExecChain.Scope keyedScope =
                new ExecChain.Scope(scope.exchangeId, scope.route, keyed, scope.execRuntime, scope.clientContext);
        try {
            return requests.send(
                    request.getMethod(), request.getUri(), key, new Sender(keyed, keyedScope, chain, requests));
        } catch (URISyntaxException e) {
            throw new ProtocolException("cannot tell where " + request + " goes", e);
        }
    }

    private static byte[] bytes(@Nullable HttpEntity entity) throws IOException {
        byte[] bytes = entity == null ? null : EntityUtils.toByteArray(entity);
        return bytes == null ? new byte[0] : bytes;
    }

    private record Sender(
            ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain, IdempotentRequests requests)
            implements RetryLoop.Sender<ClassicHttpResponse> {

        @Override
        public CompletionStage<ServerAnswer<ClassicHttpResponse>> send(Duration timeout) {
            return exchange(ClassicRequestBuilder.copy(request).build());
        }

        @Override
        public CompletionStage<ServerAnswer<ClassicHttpResponse>> ask(URI location, Duration timeout) {
            ClassicHttpRequest question = ClassicRequestBuilder.get(location).build();
            for (Header header : request.getHeaders()) {
                if (requests.identifiesCaller(header.getName())) {
                    question.addHeader(header);
                }
            }
            return exchange(question);
        }

        private CompletionStage<ServerAnswer<ClassicHttpResponse>> exchange(ClassicHttpRequest sent) {
            try (ClassicHttpResponse response = chain.proceed(sent, scope)) {
                HttpEntity received = response.getEntity();
                byte[] content = bytes(received);
                ClassicHttpResponse whole =
                        new BasicClassicHttpResponse(response.getCode(), response.getReasonPhrase());
                whole.setHeaders(response.getHeaders());
                if (received != null) {
                    String type = received.getContentType();
                    whole.setEntity(new ByteArrayEntity(
                            content, type == null ? null : ContentType.parse(type), received.getContentEncoding()));
                }
                return CompletableFuture.completedFuture(
                        new ServerAnswer<>(whole.getCode(), name -> first(whole, name), content, whole));
            } catch (IOException e) {
                if (scope.execRuntime.isExecutionAborted()) {
                    return CompletableFuture.failedFuture(new CancellationException("the request was cancelled"));
                }
                scope.execRuntime.discardEndpoint();
                return CompletableFuture.failedFuture(e);
            } catch (HttpException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private static Optional<String> first(ClassicHttpResponse response, String name) {
            return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
        }
    }
}
