package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** P6 to P11: what a key that was seen before is answered with. */
abstract class SameKeyConformance extends HeaderConformance {

    private static final int MANY = 40;

    @Test
    void p6SeesThroughMemberOrderAndWhiteSpace() {
        Received first = post(Endpoint.CHARGE)
                .key(key)
                .body("{\"a\":1.0,\"b\":[true,null]}")
                .now();

        post(Endpoint.CHARGE)
                .key(key)
                .body(" { \"b\" : [ true , null ],\n\"a\" : 1 } ")
                .now()
                .replays(first);
        post(Endpoint.CHARGE)
                .key(key)
                .body("{\"a\":1.0,\"b\":[null,true]}")
                .now()
                .hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6TellsRequestsApartByPathQueryMethodAndContentType() {
        Received first =
                post(Endpoint.ACCOUNTS, "/1/charge?a=1&b=2").key(key).now().hasStatus(201);

        post(Endpoint.ACCOUNTS, "/1/charge?b=2&a=1").key(key).now().replays(first);
        post(Endpoint.ACCOUNTS, "/2/charge?a=1&b=2").key(key).now().hasStatus(422);
        post(Endpoint.ACCOUNTS, "/1/charge?a=1").key(key).now().hasStatus(422);
        post(Endpoint.ACCOUNTS, "/1/charge?a=1&b=2")
                .key(key)
                .type("text/plain")
                .now()
                .hasStatus(422);
        client().send("PATCH", "/accounts/1/charge?a=1&b=2").key(key).now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6ComparesOtherBodiesByteForByte() {
        Received first = post(Endpoint.CHARGE)
                .key(key)
                .type("text/plain")
                .body("a b")
                .now()
                .hasStatus(201);

        post(Endpoint.CHARGE).key(key).type("text/plain").body("a b").now().replays(first);
        post(Endpoint.CHARGE).key(key).type("text/plain").body("a  b").now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6IgnoresTheFieldsThatDoNotCount() {
        Received first = post(Endpoint.FIELDS)
                .key(key)
                .body("{\"amount\":1,\"sentAt\":1}")
                .now();

        post(Endpoint.FIELDS).key(key).body("{\"amount\":1,\"sentAt\":2}").now().replays(first);
        post(Endpoint.FIELDS).key(key).body("{\"amount\":2,\"sentAt\":2}").now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6DoesNotTakeTwoLongNumbersForOne() {
        post(Endpoint.CHARGE)
                .key(key)
                .body("{\"account\":90071992547409921}")
                .now()
                .hasStatus(201);

        post(Endpoint.CHARGE)
                .key(key)
                .body("{\"account\":90071992547409922}")
                .now()
                .hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6SurvivesHostileBodies() {
        for (String body :
                List.of("[".repeat(200_000), "{\"a\":1e999999999}", "{\"a\":1,\"a\":2}", "{\"a\":\"\\ud800\"}")) {
            String own = key + body.hashCode();
            Received first = post(Endpoint.CHARGE).key(own).body(body).now().hasStatus(201);
            post(Endpoint.CHARGE).key(own).body(body).now().replays(first);
            post(Endpoint.CHARGE).key(own).body(body + " ").now().hasStatus(422);
        }
        assertRuns(4);
    }

    @Test
    void p7RefusesAnotherRequestUnderTheSameKey() {
        post(Endpoint.CHARGE).key(key).body("{\"amount\":1}").now().hasStatus(201);

        post(Endpoint.CHARGE).key(key).body("{\"amount\":2}").now().isProblem(422, "key-reused", "unknown", "new-key");
        assertRuns(1);
    }

    @Test
    void p7SaysSoBeforeItSaysThatTheKeyIsInFlight() {
        CompletableFuture<Received> first = startSlow(Endpoint.WAIT);

        post(Endpoint.WAIT).key(key).body("{\"amount\":2}").now().isProblem(422, "key-reused", "unknown", "new-key");
        service().end(testCase);
        first.join().hasStatus(201);
        assertRuns(1);
    }

    @Test
    void p8TellsADuplicateThatTheOperationIsInFlight() {
        CompletableFuture<Received> first = startSlow(Endpoint.SLOW);

        post(Endpoint.SLOW)
                .key(key)
                .now()
                .isProblem(409, "in-flight", "pending", "same-key")
                .hasRetryAfter();
        service().end(testCase);
        Received answer = first.join().hasStatus(201);
        post(Endpoint.SLOW).key(key).now().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8OneOfManyAtOnceRuns() {
        List<CompletableFuture<Received>> sent = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            sent.add(post(Endpoint.CHARGE).key(key).later());
        }

        List<Received> received = sent.stream().map(CompletableFuture::join).toList();
        assertThat(received).extracting(Received::status).isSubsetOf(201, 409);
        assertThat(received)
                .filteredOn(answer -> answer.status() == 201 && !answer.isReplay())
                .hasSize(1);
        assertRuns(1);
    }

    @Test
    void p8LetsADuplicateWaitForTheOutcome() {
        CompletableFuture<Received> first = startSlow(Endpoint.WAIT);
        CompletableFuture<Received> second = post(Endpoint.WAIT).key(key).later();

        service().end(testCase);
        Received answer = first.join().hasStatus(201);
        second.join().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8ManyWaitingDuplicatesDoNotKeepOthersFromBeingServed() {
        CompletableFuture<Received> first = startSlow(Endpoint.WAIT);
        List<CompletableFuture<Received>> duplicates = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            duplicates.add(post(Endpoint.WAIT).key(key).later());
        }

        post(Endpoint.CHARGE).key("other-" + key).now().hasStatus(201);
        assertThat(duplicates).noneMatch(CompletableFuture::isDone);
        service().end(testCase);
        Received answer = first.join().hasStatus(201);
        duplicates.forEach(duplicate -> duplicate.join().replays(answer));
        assertRuns(2);
    }

    @Test
    void p8ADuplicateThatGivesUpWaitingDoesNotDisturbTheOwner() {
        CompletableFuture<Received> first = startSlow(Endpoint.GIVE_UP);

        post(Endpoint.GIVE_UP).key(key).now().isProblem(409, "in-flight", "pending", "same-key");
        assertThat(first).isNotDone();
        service().end(testCase);
        Received answer = first.join().hasStatus(201);
        post(Endpoint.GIVE_UP).key(key).now().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8WaitsAsLongAsTheClientPrefers() {
        CompletableFuture<Received> first = startSlow(Endpoint.PREFER);
        CompletableFuture<Received> waiting =
                post(Endpoint.PREFER).key(key).header("Prefer", "wait=50").later();

        post(Endpoint.PREFER).key(key).now().hasStatus(409);
        post(Endpoint.PREFER)
                .key(key)
                .header("Prefer", "respond-async, wait=1")
                .now()
                .hasStatus(409);
        assertThat(waiting).isNotDone();
        service().end(testCase);
        Received answer = first.join().hasStatus(201);
        waiting.join().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8TellsADuplicateWhereTheOutcomeWillBe() {
        CompletableFuture<Received> first = startSlow(Endpoint.ACCEPTED);

        Received accepted =
                post(Endpoint.ACCEPTED).key(key).now().hasStatus(202).hasRetryAfter();
        String location = accepted.header("Location").get(0);
        assertThat(location).startsWith(Endpoint.STATUS_PATH + "/").doesNotContain(key);
        client().send("GET", location).now().hasStatus(202).hasRetryAfter();

        service().end(testCase);
        Received answer = first.join().hasStatus(201);
        client().send("GET", location).now().replays(answer);
        assertThat(client().send("HEAD", location).now().hasStatus(201).body()).isEmpty();
        assertRuns(1);
    }

    @Test
    void p8ShowsAnOutcomeToItsOwnCallerAlone() {
        CompletableFuture<Received> first = startSlow(Endpoint.ACCEPTED);
        String location =
                post(Endpoint.ACCEPTED).key(key).now().header("Location").get(0);
        service().end(testCase);
        first.join().hasStatus(201);

        client().send("GET", location).token("mallory.1").now().isProblem(404, "status-not-found", "unknown", "never");
        Received toStranger = client().send("GET", location).token("").now();
        if (letsStrangersIn()) {
            toStranger.isProblem(404, "status-not-found", "unknown", "never");
        } else {
            toStranger.hasStatus(401);
        }
    }

    @Test
    void p9ReplaysTheResponseByteForByte() {
        Received first = post(Endpoint.CHARGE).key(key).now().hasStatus(201).isNoReplay();
        assertThat(first.header("Set-Cookie")).as("cookie for the first client").isNotEmpty();

        for (int i = 0; i < 3; i++) {
            post(Endpoint.CHARGE).key(key).now().replays(first);
        }
        assertRuns(1);
    }

    @Test
    void p10SaysThatTheOutcomeIsUnknownAndDoesNotRunAgain() {
        post(Endpoint.UNKNOWN).key(key).now();

        post(Endpoint.UNKNOWN).key(key).now().isProblem(409, "outcome-unknown", "unknown", "same-key");
        assertRuns(1);
    }

    @Test
    void p11RunsAgainAfterTheKeyHasExpired() {
        post(Endpoint.BRIEF).key(key).now().hasStatus(201);

        Awaitility.await()
                .until(() -> post(Endpoint.BRIEF).key(key).now(), received -> !received.isReplay())
                .hasStatus(201);
        assertRuns(2);
    }

    @Test
    void p11SaysThatTheKeyHasExpiredWhereTombstonesAreKept() {
        post(Endpoint.TOMBSTONE).key(key).now().hasStatus(201);

        awaitStatus(Endpoint.TOMBSTONE, 410).isProblem(410, "key-expired", "unknown", "never");
        assertRuns(1);
    }
}
