package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The HTTP protocol, point by point, through a real socket. A subclass starts a server that serves a
 * {@link SampleService} under the rules of each {@link Endpoint}, and says where it is.
 *
 * <p>The server knows a caller by its bearer token, of which the part before the dot is the caller's name; it has at
 * most 20 threads for requests, if it has threads for requests at all. Every test has a case and its own key.
 */
public abstract class HttpConformance extends ScenarioConformance {

    @Test
    void p16SaysInEveryProblemWhatIsKnownAndWhatToDo() {
        post(Endpoint.CHARGE).now().isProblem(400, "key-missing", "not-applied", "new-key");
        CompletableFuture<Received> first = startSlow(Endpoint.SLOW);
        keyed(Endpoint.SLOW).now().isProblem(409, "in-flight", "pending", "same-key");
        keyed(Endpoint.SLOW).body("{}").now().isProblem(422, "key-reused", "unknown", "new-key");
        end(first);
    }

    @Test
    void p17RefusesWhileTheStoreIsDown() {
        store().down(true);
        keyed(Endpoint.CHARGE)
                .now()
                .isProblem(503, "store-unavailable", "unknown", "same-key")
                .hasRetryAfter();
        assertRuns(0);

        // Whether a refused claim was written after all is looked after meanwhile, which can hold the key for a moment.
        store().down(false);
        awaitStatus(Endpoint.CHARGE, 201).isNoReplay();
        assertRuns(1);
    }

    @Test
    void p17RunsUnprotectedWhereTheOperationChoseTo() {
        store().down(true);

        keyed(Endpoint.FAIL_OPEN).now().hasStatus(201).isNoReplay();
        assertRuns(1);
        bringStoreBack();
    }

    @Test
    void p17DoesNotRunAgainWhenTheOutcomeCouldNotBeStored() {
        store().settlesFail(true);
        Received first = keyed(Endpoint.CHARGE).now().hasStatus(201).isNoReplay();
        keyed(Endpoint.CHARGE).now().isProblem(409, "in-flight", "pending", "same-key");

        store().settlesFail(false);
        awaitStatus(Endpoint.CHARGE, 201).replays(first);
        assertRuns(1);
    }

    @Test
    void p18KeepsCallersApart() {
        Received alice = keyed(Endpoint.CHARGE).token("alice.1").now().hasStatus(201);
        Received bob = keyed(Endpoint.CHARGE)
                .token("bob.1")
                .body("{}")
                .now()
                .hasStatus(201)
                .isNoReplay();
        assertRuns(2);

        keyed(Endpoint.CHARGE).token("alice.1").now().replays(alice);
        keyed(Endpoint.CHARGE).token("bob.1").body("{}").now().replays(bob);
        assertRuns(2);
    }

    @Test
    void p18KnowsACallerWhoseTokenWasRefreshed() {
        Received first = keyed(Endpoint.CHARGE).token("alice.1").now().hasStatus(201);

        keyed(Endpoint.CHARGE).token("alice.2").now().replays(first);
        assertRuns(1);
    }

    @Test
    void p18RefusesARequestWithoutCaller() {
        Received refused = keyed(Endpoint.CHARGE).token("").now();
        if (letsStrangersIn()) {
            refused.isProblem(403, "caller-unknown", "not-applied", "same-key");
        } else {
            refused.hasStatus(401);
        }
        assertRuns(0);
    }

    @Test
    void p19SaysUntilWhenAKeyIsKept() {
        Received first = keyed(Endpoint.EXPIRES).now().hasStatus(201);
        Received second = keyed(Endpoint.EXPIRES).now().replays(first);

        assertThat(expiry(first)).isAfter(Instant.now());
        assertThat(expiry(second))
                .isBetween(expiry(first).minusSeconds(2), expiry(first).plusSeconds(2));
        assertThat(post(Endpoint.CHARGE).key(key + "x").now().header("Idempotency-Expires"))
                .isEmpty();
    }

    private static Instant expiry(Received received) {
        String date = received.header("Idempotency-Expires").get(0);
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }
}
