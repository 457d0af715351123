package dev.semel.spring.test;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kills the application at one point after the other. The process that answers the retry is the next to die. */
final class CrashRun {

    private static final Logger LOG = LoggerFactory.getLogger(CrashRun.class);

    private static final long PAUSE_MILLIS = 100;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CrashPoints test;

    CrashRun(CrashPoints test) {
        this.test = test;
    }

    CrashReport run() {
        Map<String, CrashResult> byKey = new LinkedHashMap<>();
        ChildProcess application = test.start();
        try {
            List<String> points = pointsOf(application);
            for (String point : points) {
                String key = "crash-" + UUID.randomUUID();
                boolean crashed = crash(application, point, key);
                if (crashed) {
                    application.close();
                    application = test.start();
                }
                CrashResult result = new CrashResult(point, crashed, retry(application, key), test.count(key));
                byKey.put(key, result);
                LOG.info("{} of {}: {}", byKey.size(), points.size(), result);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the test was interrupted", e);
        } finally {
            application.close();
        }
        return new CrashReport(recounted(byKey));
    }

    /** Counts again at the end, for effects that came late, such as those of another recovery. */
    private List<CrashResult> recounted(Map<String, CrashResult> byKey) {
        List<CrashResult> results = new ArrayList<>();
        byKey.forEach((key, result) -> {
            Map<String, Long> most = new HashMap<>(result.effects());
            test.count(key).forEach((name, count) -> most.merge(name, count, Math::max));
            results.add(result.withEffects(most));
        });
        return results;
    }

    /** The points of a request that nothing disturbs, which must have every effect once. */
    private List<String> pointsOf(ChildProcess application) throws InterruptedException {
        String key = "crash-" + UUID.randomUUID();
        application.record();
        HttpResponse<String> response = send(application, key);
        List<String> points = application.stop();
        Map<String, Long> effects = test.count(key);
        if (response == null
                || test.answer(response) != RetryAnswer.DONE
                || effects.values().stream().anyMatch(count -> count != 1)) {
            throw new IllegalStateException(
                    "without any crash, the request must be done and every effect must happen once; it was answered with "
                            + (response == null ? "nothing" : response.statusCode() + " " + response.body())
                            + ", and the effects were " + effects);
        }
        if (points.isEmpty()) {
            throw new IllegalStateException(
                    "the request passed no point: is its operation guarded by Semel, and are the"
                            + " beans of the application in the packages that are watched?");
        }
        return points;
    }

    private boolean crash(ChildProcess application, String point, String key) throws InterruptedException {
        application.crashAt(point);
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(test.request(application.service(), key), HttpResponse.BodyHandlers.ofString());
        return application.diesDuring(answer, test.patience());
    }

    private CrashResult.LastAnswer retry(ChildProcess application, String key) throws InterruptedException {
        long start = System.nanoTime();
        for (int retries = 1; ; retries++) {
            HttpResponse<String> response = send(application, key);
            RetryAnswer answer = response == null ? RetryAnswer.AGAIN : test.answer(response);
            Duration limit = switch (answer) {
                case AGAIN -> test.patience();
                case UNKNOWN -> test.reconciliation();
                default -> Duration.ZERO;
            };
            if (System.nanoTime() - start >= limit.toNanos()) {
                String status = response == null ? "no response" : "" + response.statusCode();
                return new CrashResult.LastAnswer(answer, status, retries, isStable(application, key, response));
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** Whether the client gets the same response once more. */
    private boolean isStable(ChildProcess application, String key, @Nullable HttpResponse<String> response)
            throws InterruptedException {
        HttpResponse<String> again = send(application, key);
        return response != null
                && again != null
                && again.statusCode() == response.statusCode()
                && again.body().equals(response.body());
    }

    /** The response, or {@code null} if the connection broke. */
    private @Nullable HttpResponse<String> send(ChildProcess application, String key) throws InterruptedException {
        try {
            return client.send(test.request(application.service(), key), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            LOG.debug("the connection to the application broke", e);
            return null;
        }
    }
}
