package dev.semel.gateway;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.policy.Reconciler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a URL what happened to an operation. Only an explicit verdict counts: any other response, such as an error page
 * or the 404 of a proxy in between, counts as {@code CannotTell}.
 */
final class HttpReconciler implements Reconciler {

    private static final Logger log = LoggerFactory.getLogger(HttpReconciler.class);
    private static final int OK = 200;

    private final HttpClient client;
    private final URI url;
    private final Duration timeout;

    HttpReconciler(Vertx vertx, URI url, Duration timeout) {
        this.client = vertx.createHttpClient();
        this.url = url;
        this.timeout = timeout;
    }

    @Override
    public CompletionStage<Verdict> reconcile(Case lapsed) {
        JsonObject question = new JsonObject()
                .put("key", lapsed.key().value())
                .put("scope", lapsed.key().scope())
                .put("operation", lapsed.operation())
                .put("fingerprint", lapsed.fingerprint().toString())
                .put("attempt", lapsed.attempt());
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(url.toString())
                .setTimeout(timeout.toMillis())
                .putHeader("Content-Type", "application/json");
        return client.request(options)
                .compose(request -> request.send(question.toBuffer()))
                .compose(response -> response.body().map(body -> verdict(response.statusCode(), body)))
                .toCompletionStage();
    }

    private Verdict verdict(int status, Buffer body) {
        if (status != OK) {
            log.warn("{} answered {} instead of a verdict", url, status);
            return new Verdict.CannotTell();
        }
        JsonObject answer = body.toJsonObject();
        String verdict = answer.getString("verdict", "");
        return switch (verdict) {
            case "done" -> new Verdict.Done(outcome(answer));
            case "not-executed" -> new Verdict.NotExecuted();
            case "cannot-tell" -> new Verdict.CannotTell();
            default ->
                throw new IllegalArgumentException(url + " answered with the verdict \"" + verdict
                        + "\"; expected done, not-executed or cannot-tell");
        };
    }

    private static Outcome outcome(JsonObject answer) {
        int status = answer.getInteger("status", OK);
        String base64 = answer.getString("bodyBase64");
        byte[] body = base64 == null
                ? answer.getString("body", "").getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(base64);
        List<Header> headers = answer.getJsonObject("headers", new JsonObject()).stream()
                .map(header -> new Header(header.getKey(), String.valueOf(header.getValue())))
                .toList();
        return Outcome.builder(status < 400 ? Outcome.Result.SUCCEEDED : Outcome.Result.FAILED)
                .status(status)
                .contentType(answer.getString("contentType"))
                .headers(headers)
                .payload(body)
                .build();
    }
}
