package dev.semel.gateway.identity;

import com.nimbusds.jose.jwk.JWKSet;
import dev.semel.util.Failures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that an issuer publishes, and replaces from time to time. They are fetched at the start, again when they have become
 * old, and when a token names a key that is not among them. While the issuer does not answer, the last ones stay.
 *
 * @param <V> the verifier that is built from a set of keys
 */
final class FetchedJwtKeys<V> {

    /** From then on they are fetched again, while requests still use them. */
    static final Duration OLD = Duration.ofMinutes(5);

    /** From then on a request waits for new ones first. */
    static final Duration TOO_OLD = Duration.ofMinutes(10);

    /** However many tokens name unknown keys, the issuer is not asked more often than this. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 1 << 20;
    private static final int OK = 200;

    private static final Logger log = LoggerFactory.getLogger(FetchedJwtKeys.class);

    private final URI url;
    private final Function<JWKSet, V> use;
    private final LongSupplier nanos;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private volatile Snapshot<V> current;

    /** The fetch that runs, or the last one. */
    private CompletableFuture<?> fetch = CompletableFuture.completedFuture(null);

    private long startedAt;
    private boolean failing;

    private record Snapshot<V>(JWKSet keys, V made, long at) {}

    private FetchedJwtKeys(URI url, Function<JWKSet, V> use, LongSupplier nanos) {
        this.url = url;
        this.use = use;
        this.nanos = nanos;
        // The issuer may replace its keys at any time, also right after this.
        this.startedAt = nanos.getAsLong() - PAUSE.toNanos();
        this.current = ask().join();
    }

    /**
     * Fetches the keys, and waits for them.
     *
     * @throws CompletionException if they are not available
     */
    static <V> FetchedJwtKeys<V> of(URI url, Function<JWKSet, V> use, LongSupplier nanos) {
        return new FetchedJwtKeys<>(url, use, nanos);
    }

    V made() {
        return current.made;
    }

    /**
     * The stage that a token must wait for before it is verified; {@code null} if it need not wait.
     *
     * @param keyId the key that the token names, or {@code null}
     */
    @Nullable
    CompletionStage<?> preparation(@Nullable String keyId) {
        long now = nanos.getAsLong();
        boolean lacksKey = keyId != null && current.keys.getKeyByKeyId(keyId) == null;
        boolean waits = lacksKey || now - current.at > TOO_OLD.toNanos();
        if (!waits && now - current.at <= OLD.toNanos()) {
            return null;
        }
        CompletionStage<?> running = fetch(now);
        return waits ? running : null;
    }

    /** The fetch that runs, or a new one; {@code null} shortly after the last. */
    private synchronized @Nullable CompletionStage<?> fetch(long now) {
        if (!fetch.isDone()) {
            return fetch;
        }
        if (now - startedAt < PAUSE.toNanos()) {
            return null;
        }
        startedAt = now;
        fetch = ask().handle((fetched, failure) -> {
            ended(fetched, failure);
            return null;
        });
        return fetch;
    }

    private synchronized void ended(@Nullable Snapshot<V> fetched, @Nullable Throwable failure) {
        if (fetched != null) {
            current = fetched;
        }
        if (failure != null && !failing) {
            log.warn(
                    "event=jwt_keys_failed url={} meaning=\"the last ones are used\" cause=\"{}\"", url, text(failure));
        } else if (failure == null && failing) {
            log.warn("event=jwt_keys_fetched url={}", url);
        }
        failing = failure != null;
    }

    static String text(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private CompletableFuture<Snapshot<V>> ask() {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("Accept", "application/jwk-set+json, application/json")
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                .thenApply(response -> {
                    try (var body = response.body()) {
                        if (response.statusCode() != OK) {
                            throw new IOException("status " + response.statusCode());
                        }
                        byte[] bytes = body.readNBytes(MOST_BYTES);
                        JWKSet keys = JWKSet.parse(new String(bytes, StandardCharsets.UTF_8))
                                .toPublicJWKSet();
                        if (keys.isEmpty()) {
                            throw new IOException("there is no public key in the set");
                        }
                        return new Snapshot<>(keys, use.apply(keys), nanos.getAsLong());
                    } catch (IOException | ParseException e) {
                        throw new CompletionException(e);
                    }
                });
    }
}
