package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Tests the rules of single operations, through a real socket. A subclass starts a server that serves a {@link
 * SampleService} under the rules of each {@link RuleEndpoint}, and says where it is.
 */
public abstract class RulesConformance extends HttpSupport {

    private static final String FORM = "application/x-www-form-urlencoded";

    private Client.Sending post(RuleEndpoint endpoint) {
        return client().post(endpoint.path());
    }

    private Client.Sending post(RuleEndpoint endpoint, String rest) {
        return client().post(endpoint.path() + rest);
    }

    private String json(int amount) {
        return "{\"request_id\":\"" + key + "\",\"amount\":" + amount + "}";
    }

    @Test
    void aKeyCanBeInTheJsonBody() {
        runsOnce(201, () -> post(RuleEndpoint.BODY_KEY).body(json(1)));
        post(RuleEndpoint.BODY_KEY).body(json(2)).now().isProblem(422, "key-reused", "unknown", "new-key");
        post(RuleEndpoint.BODY_KEY).now().isProblem(400, "key-missing", "not-applied", "new-key");
        assertRuns(1);
    }

    @Test
    void aKeyInTheBodyBelongsToItsCaller() {
        Received alices = post(RuleEndpoint.BODY_KEY).body(json(1)).now().hasStatus(201);
        Received bobs = post(RuleEndpoint.BODY_KEY)
                .token("bob.1")
                .body(json(1))
                .now()
                .hasStatus(201)
                .isNoReplay();

        assertThat(bobs.text()).isNotEqualTo(alices.text());
        assertRuns(2);
    }

    @Test
    void aBodyWithTwoKeysIsRefused() {
        post(RuleEndpoint.BODY_KEY)
                .body("{\"request_id\":\"a\",\"request_id\":\"" + key + "\"}")
                .now()
                .isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(0);
    }

    @Test
    void aKeyBehindMegabytesOfOtherMembersIsFound() {
        String body = "{\"file\":\"" + "x".repeat(9 << 20) + "\",\"request_id\":\"" + key + "\"}";
        runsOnce(201, () -> post(RuleEndpoint.BODY_KEY).body(body));
    }

    @Test
    void aKeyCanBeInADirectiveOfAGraphQlDocument() {
        String inDocument = "{\"query\":\"mutation { pay @idempotent(key: \\\"" + key + "\\\") { id } }\"}";
        String inVariables =
                "{\"query\":\"mutation ($k: ID!) { pay @idempotent(key: $k) { id } }\",\"variables\":{\"k\":\"" + key
                        + "\"}}";
        runsOnce(201, () -> post(RuleEndpoint.GRAPHQL_KEY).body(inDocument));
        post(RuleEndpoint.GRAPHQL_KEY).body(inVariables).now().isProblem(422, "key-reused", "unknown", "new-key");
        post(RuleEndpoint.GRAPHQL_KEY)
                .body(inVariables.replace("\"k\":", "\"other\":"))
                .now()
                .isProblem(400, "key-invalid", "not-applied", "new-key");
        post(RuleEndpoint.GRAPHQL_KEY)
                .body("{\"query\":\"{ orders { id } }\"}")
                .now()
                .isProblem(400, "key-missing", "not-applied", "new-key");
        assertThat(isStoredAs(key)).isTrue();
        assertRuns(1);
    }

    @Test
    void aKeyCanBeInAForm() {
        runsOnce(201, () -> post(RuleEndpoint.FORM_KEY).type(FORM).body("amount=1&request_id=" + key));
        post(RuleEndpoint.FORM_KEY)
                .type(FORM + ";charset=ISO-8859-1")
                .body("request_id=" + key)
                .now()
                .isProblem(400, "key-invalid", "not-applied", "new-key");
        post(RuleEndpoint.FORM_KEY)
                .type(FORM)
                .body("request_id=a&request_id=" + key)
                .now()
                .isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(1);
    }

    @Test
    void aKeyCanBeInTheQuery() {
        runsOnce(201, () -> post(RuleEndpoint.QUERY_KEY, "?request_id=" + key));
        post(RuleEndpoint.QUERY_KEY).now().isProblem(400, "key-missing", "not-applied", "new-key");
        post(RuleEndpoint.QUERY_KEY, "?request_id=a&request_id=" + key)
                .now()
                .isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(1);
    }

    @Test
    void aKeyCanBeInOneOfTwoHeadersAndNotInBoth() {
        Received first = post(RuleEndpoint.TWO_HEADERS)
                .header("X-Request-Key", key)
                .now()
                .hasStatus(201);
        post(RuleEndpoint.TWO_HEADERS).key(key).now().replays(first);
        post(RuleEndpoint.TWO_HEADERS)
                .key(key)
                .header("X-Request-Key", key)
                .now()
                .replays(first);
        post(RuleEndpoint.TWO_HEADERS)
                .key(key)
                .header("X-Request-Key", "another")
                .now()
                .isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(1);
    }

    @Test
    void thePathCanBeTheKeyAndPeopleCanReadIt() {
        runsOnce(201, () -> post(RuleEndpoint.PATH_KEY, "/" + key));
        post(RuleEndpoint.PATH_KEY, "/" + key + ";v=2")
                .now()
                .isProblem(400, "key-not-derivable", "not-applied", "new-key");
        assertThat(isStoredAs("@path-key:" + key)).isTrue();
        assertRuns(1);
    }

    @Test
    void fieldsOfTheBodyCanBeTheKeyAndPeopleCanReadThem() {
        runsOnce(201, () -> post(RuleEndpoint.NATURAL_KEY).body("{\"order\":\"" + key + "\"}"));
        post(RuleEndpoint.NATURAL_KEY).now().isProblem(400, "key-not-derivable", "not-applied", "new-key");
        assertThat(isStoredAs("@natural-key=\"" + key + "\"")).isTrue();
        assertRuns(1);
    }

    @Test
    void aClientThatSendsNoKeyIsProtectedByAHashOfTheBody() {
        runsOnce(201, () -> post(RuleEndpoint.BODY_HASH).body(json(1)));
        post(RuleEndpoint.BODY_HASH).body(json(2)).now().hasStatus(201).isNoReplay();
        post(RuleEndpoint.BODY_HASH, "/other")
                .body(json(1))
                .now()
                .hasStatus(201)
                .isNoReplay();
        post(RuleEndpoint.BODY_HASH)
                .token("bob.1")
                .body(json(1))
                .now()
                .hasStatus(201)
                .isNoReplay();
        post(RuleEndpoint.BODY_HASH).key(key).body(json(1)).now().hasStatus(201).isNoReplay();
        assertRuns(5);
    }

    @Test
    void aKeyOfAnotherFormIsRefused() {
        post(RuleEndpoint.AGED_KEY).key(key).now().isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(0);
    }

    @Test
    void aKeyThatIsTooOldIsRefusedAndNothingIsKeptOfIt() {
        String old = uuidV7(Instant.now().minus(Duration.ofHours(2)));
        post(RuleEndpoint.AGED_KEY).key(old).now().isProblem(410, "key-expired", "unknown", "never");
        assertThat(isStoredAs(old)).isFalse();

        String young = uuidV7(Instant.now().minus(Duration.ofMinutes(59)));
        runsOnce(201, () -> post(RuleEndpoint.AGED_KEY).key(young));
        String ofAnotherClock = uuidV7(Instant.now().plus(Duration.ofMinutes(4)));
        post(RuleEndpoint.AGED_KEY).key(ofAnotherClock).now().hasStatus(201);
        String future = uuidV7(Instant.now().plus(Duration.ofHours(1)));
        post(RuleEndpoint.AGED_KEY).key(future).now().isProblem(400, "key-invalid", "not-applied", "new-key");
        assertRuns(2);
    }

    @Test
    void whatIsNeverStoredReachesTheFirstClientAlone() {
        Received first = post(RuleEndpoint.REDACTED).key(key).now().hasStatus(201);
        Received second = post(RuleEndpoint.REDACTED).key(key).now().hasStatus(201);

        assertThat(first.text()).contains("\u20ac");
        assertThat(first.header("ETag")).hasSize(1);
        assertThat(second.isReplay()).isTrue();
        assertThat(second.text()).isEqualTo(first.text().replace("\u20ac", "[not stored]"));
        assertThat(second.header("ETag")).isEmpty();
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertRuns(1);
    }

    @Test
    void aCallerWhoseRightsWereWithdrawnDoesNotGetWhatIsStored() {
        Received first = post(RuleEndpoint.WITHDRAWN).key(key).now().hasStatus(201);
        post(RuleEndpoint.WITHDRAWN)
                .key(key)
                .token("alice" + RuleEndpoint.WITHDRAWN_TOKEN)
                .now()
                .isProblem(403, "replay-denied", "unknown", "never");
        post(RuleEndpoint.WITHDRAWN).key(key).token("alice.2").now().replays(first);
        assertRuns(1);
    }

    @Test
    void aClientThatAsksForItIsAnsweredBeforeTheHandlerHasRun() {
        Received accepted =
                async(RuleEndpoint.SLOW_ASYNC, "").now().hasStatus(202).hasRetryAfter();
        assertThat(accepted.header("Preference-Applied")).containsExactly("respond-async");
        awaitRuns(1);

        String location = accepted.header("Location").get(0);
        client().send("GET", location).now().hasStatus(202);
        async(RuleEndpoint.SLOW_ASYNC, "").now().hasStatus(202);
        post(RuleEndpoint.SLOW_ASYNC).key(key).now().isProblem(409, "in-flight", "pending", "same-key");

        service().end(testCase);
        Received outcome = awaitOutcome(location, 201);
        post(RuleEndpoint.SLOW_ASYNC).key(key).now().replays(outcome);
        async(RuleEndpoint.SLOW_ASYNC, "").now().replays(outcome);
        assertRuns(1);
    }

    @Test
    void aResponseWithoutAWaitingClientMayBeLarge() {
        Received accepted =
                async(RuleEndpoint.LARGE_ASYNC, "?size=2000000").now().hasStatus(202);

        awaitOutcome(accepted.header("Location").get(0), 410)
                .isProblem(410, "response-not-retained", "applied", "never");
        assertRuns(1);
    }

    @Test
    void theStatusResourceReportsAHandlerThatFailsAfterItsClientWasAnswered() {
        Received accepted = async(RuleEndpoint.THROW_ASYNC, "").now().hasStatus(202);

        awaitOutcome(accepted.header("Location").get(0), 500);
        async(RuleEndpoint.THROW_ASYNC, "").now().hasStatus(500);
        assertRuns(1);
    }

    @Test
    void aReusedKeyIsRefusedEvenIfNoRequestWaits() {
        async(RuleEndpoint.SLOW_ASYNC, "").now().hasStatus(202);
        async(RuleEndpoint.SLOW_ASYNC, "").body(json(2)).now().isProblem(422, "key-reused", "unknown", "new-key");
    }

    private Client.Sending async(RuleEndpoint endpoint, String rest) {
        return post(endpoint, rest).key(key).header("Prefer", "respond-async");
    }

    private Received awaitOutcome(String location, int status) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> client().send("GET", location).now(), received -> received.status() == status);
    }

    private String uuidV7(Instant time) {
        String millis = String.format("%012x", time.toEpochMilli());
        return millis.substring(0, 8) + "-" + millis.substring(8) + "-7" + key.substring(15);
    }
}
