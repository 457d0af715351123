package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** P6 to P11: the answers to a key that was used before. */
abstract class SameKeyConformance extends HeaderConformance {

    private static final int MANY = 40;

    @Test
    void p6SeesThroughMemberOrderAndWhiteSpace() {
        Received first =
                keyed(Endpoint.CHARGE).body("{\"a\":1.0,\"b\":[true,null]}").now();

        keyed(Endpoint.CHARGE)
                .body(" { \"b\" : [ true , null ],\n\"a\" : 1 } ")
                .now()
                .replays(first);
        keyed(Endpoint.CHARGE).body("{\"a\":1.0,\"b\":[null,true]}").now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6TellsRequestsApartByPathQueryMethodAndContentType() {
        Received first = keyed(Endpoint.ACCOUNTS, "/1/charge?a=1&b=2").now().hasStatus(201);

        keyed(Endpoint.ACCOUNTS, "/1/charge?b=2&a=1").now().replays(first);
        keyed(Endpoint.ACCOUNTS, "/2/charge?a=1&b=2").now().hasStatus(422);
        keyed(Endpoint.ACCOUNTS, "/1/charge?a=1").now().hasStatus(422);
        keyed(Endpoint.ACCOUNTS, "/1/charge?a=1&b=2").type("text/plain").now().hasStatus(422);
        client().send("PATCH", "/accounts/1/charge?a=1&b=2").key(key).now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6ComparesOtherBodiesByteForByte() {
        Received first =
                keyed(Endpoint.CHARGE).type("text/plain").body("a b").now().hasStatus(201);

        keyed(Endpoint.CHARGE).type("text/plain").body("a b").now().replays(first);
        keyed(Endpoint.CHARGE).type("text/plain").body("a  b").now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6IgnoresTheFieldsThatDoNotCount() {
        Received first =
                keyed(Endpoint.FIELDS).body("{\"amount\":1,\"sentAt\":1}").now();

        keyed(Endpoint.FIELDS).body("{\"amount\":1,\"sentAt\":2}").now().replays(first);
        keyed(Endpoint.FIELDS).body("{\"amount\":2,\"sentAt\":2}").now().hasStatus(422);
        assertRuns(1);
    }

    @Test
    void p6DoesNotTakeTwoLongNumbersForOne() {
        keyed(Endpoint.CHARGE).body("{\"account\":90071992547409921}").now().hasStatus(201);

        keyed(Endpoint.CHARGE).body("{\"account\":90071992547409922}").now().hasStatus(422);
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
        keyed(Endpoint.CHARGE).body("{\"amount\":1}").now().hasStatus(201);

        keyed(Endpoint.CHARGE).body("{\"amount\":2}").now().isProblem(422, "key-reused", "unknown", "new-key");
        assertRuns(1);
    }

    @Test
    void p7SaysSoBeforeItSaysThatTheKeyIsInFlight() {
        CompletableFuture<Received> first = startSlow(Endpoint.WAIT);

        keyed(Endpoint.WAIT).body("{\"amount\":2}").now().isProblem(422, "key-reused", "unknown", "new-key");
        end(first);
        assertRuns(1);
    }

    @Test
    void p8TellsADuplicateThatTheOperationIsInFlight() {
        CompletableFuture<Received> first = startSlow(Endpoint.SLOW);

        keyed(Endpoint.SLOW)
                .now()
                .isProblem(409, "in-flight", "pending", "same-key")
                .hasRetryAfter();
        Received answer = end(first);
        keyed(Endpoint.SLOW).now().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8OneOfManyAtOnceRuns() {
        List<CompletableFuture<Received>> sent = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            sent.add(keyed(Endpoint.CHARGE).later());
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
        CompletableFuture<Received> second = keyed(Endpoint.WAIT).later();

        Received answer = end(first);
        second.join().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8ManyWaitingDuplicatesDoNotKeepOthersFromBeingServed() {
        CompletableFuture<Received> first = startSlow(Endpoint.WAIT);
        List<CompletableFuture<Received>> duplicates = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            duplicates.add(keyed(Endpoint.WAIT).later());
        }

        post(Endpoint.CHARGE).key("other-" + key).now().hasStatus(201);
        assertThat(duplicates).noneMatch(CompletableFuture::isDone);
        Received answer = end(first);
        duplicates.forEach(duplicate -> duplicate.join().replays(answer));
        assertRuns(2);
    }

    @Test
    void p8ADuplicateThatGivesUpWaitingDoesNotDisturbTheOwner() {
        CompletableFuture<Received> first = startSlow(Endpoint.GIVE_UP);

        keyed(Endpoint.GIVE_UP).now().isProblem(409, "in-flight", "pending", "same-key");
        assertThat(first).isNotDone();
        Received answer = end(first);
        keyed(Endpoint.GIVE_UP).now().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8WaitsAsLongAsTheClientPrefers() {
        CompletableFuture<Received> first = startSlow(Endpoint.PREFER);
        CompletableFuture<Received> waiting =
                keyed(Endpoint.PREFER).header("Prefer", "wait=50").later();

        keyed(Endpoint.PREFER).now().hasStatus(409);
        keyed(Endpoint.PREFER).header("Prefer", "respond-async, wait=1").now().hasStatus(409);
        assertThat(waiting).isNotDone();
        Received answer = end(first);
        waiting.join().replays(answer);
        assertRuns(1);
    }

    @Test
    void p8TellsADuplicateWhereTheOutcomeWillBe() {
        CompletableFuture<Received> first = startSlow(Endpoint.ACCEPTED);

        Received accepted = keyed(Endpoint.ACCEPTED).now().hasStatus(202).hasRetryAfter();
        String location = accepted.header("Location").get(0);
        assertThat(location).startsWith(Endpoint.STATUS_PATH + "/").doesNotContain(key);
        client().send("GET", location).now().hasStatus(202).hasRetryAfter();

        Received answer = end(first);
        client().send("GET", location).now().replays(answer);
        assertThat(client().send("HEAD", location).now().hasStatus(201).body()).isEmpty();
        assertRuns(1);
    }

    @Test
    void p8ShowsAnOutcomeToItsOwnCallerAlone() {
        CompletableFuture<Received> first = startSlow(Endpoint.ACCEPTED);
        String location = keyed(Endpoint.ACCEPTED).now().header("Location").get(0);
        end(first);

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
        Received first = keyed(Endpoint.CHARGE).now().hasStatus(201).isNoReplay();
        assertThat(first.header("Set-Cookie")).as("cookie for the first client").isNotEmpty();

        for (int i = 0; i < 3; i++) {
            keyed(Endpoint.CHARGE).now().replays(first);
        }
        assertRuns(1);
    }

    @Test
    void p10SaysThatTheOutcomeIsUnknownAndDoesNotRunAgain() {
        keyed(Endpoint.UNKNOWN).now();

        keyed(Endpoint.UNKNOWN).now().isProblem(409, "outcome-unknown", "unknown", "same-key");
        assertRuns(1);
    }

    @Test
    void p11RunsAgainAfterTheKeyHasExpired() {
        keyed(Endpoint.BRIEF).now().hasStatus(201);

        Awaitility.await()
                .until(() -> keyed(Endpoint.BRIEF).now(), received -> !received.isReplay())
                .hasStatus(201);
        assertRuns(2);
    }

    @Test
    void p11SaysThatTheKeyHasExpiredWhereTombstonesAreKept() {
        keyed(Endpoint.TOMBSTONE).now().hasStatus(201);

        awaitStatus(Endpoint.TOMBSTONE, 410).isProblem(410, "key-expired", "unknown", "never");
        assertRuns(1);
    }
}
