package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the promises of dialects to their clients, through a real socket. A subclass starts a server like that of
 * {@link HttpConformance}, which serves {@link Endpoint#IN_DIALECTS} in every {@link ExpectedDialect}, and in every
 * {@link ExpectedWebhook} with its secret, each under {@link Endpoint#path(String)}.
 */
public abstract class DialectConformance extends WebhookConformance {

    private static final int AMOUNT = 100;

    private Client.Sending keyed(ExpectedDialect dialect, Endpoint endpoint) {
        return keyed(dialect, endpoint, AMOUNT);
    }

    private Client.Sending keyed(ExpectedDialect dialect, Endpoint endpoint, int amount) {
        return dialect.sign(client().post(endpoint.path(dialect.dialect())), key, amount);
    }

    private Client.Sending failing(ExpectedDialect dialect) {
        return dialect.sign(client().post(Endpoint.STATUS.path(dialect.dialect()) + "?code=500"), key, AMOUNT);
    }

    private void begin(ExpectedDialect dialect) {
        key = dialect.newKey();
    }

    private void assertReplays(ExpectedDialect dialect, Received again, Received first) {
        List<String> result = dialect.resultHeader(key);
        if (!result.isEmpty()) {
            assertThat(first.header(result.get(0))).containsExactly(result.get(1));
            assertThat(again.header(result.get(0))).containsExactly(result.get(1));
        }
        assertThat(again.status()).as(again.text()).isEqualTo(first.status());
        assertThat(again.body()).isEqualTo(first.body());
        String marker = dialect.marker();
        if (marker == null) {
            assertThat(again.header(Received.MARKER)).isEmpty();
        } else {
            assertThat(first.header(marker)).as("mark of the first response").isEmpty();
            assertThat(again.header(marker)).as("mark of the replay").containsExactly("true");
        }
    }

    @ParameterizedTest
    @EnumSource
    void replaysWithItsOwnMark(ExpectedDialect dialect) {
        begin(dialect);
        Received first = keyed(dialect, Endpoint.CHARGE).now().hasStatus(201);

        assertReplays(dialect, keyed(dialect, Endpoint.CHARGE).now(), first);
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherRequestUnderTheSameKey(ExpectedDialect dialect) {
        begin(dialect);
        Received first = keyed(dialect, Endpoint.CHARGE).now().hasStatus(201);

        Received other = keyed(dialect, Endpoint.CHARGE, 2 * AMOUNT)
                .now()
                .hasStatus(dialect.answers().mismatch());
        assertThat(other.text()).contains(dialect.answers().mismatchBody());
        assertThat(other.body()).isNotEqualTo(first.body());
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void tellsADuplicateThatTheFirstRequestRuns(ExpectedDialect dialect) {
        begin(dialect);
        CompletableFuture<Received> slow = keyed(dialect, Endpoint.SLOW).later();
        awaitRuns(1);

        Received duplicate = keyed(dialect, Endpoint.SLOW)
                .now()
                .hasStatus(dialect.answers().inFlight())
                .hasRetryAfter();
        assertThat(duplicate.text()).contains(dialect.answers().inFlightBody());
        Received first = end(slow);
        assertReplays(dialect, keyed(dialect, Endpoint.SLOW).now(), first);
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void asksForAKeyWhereTheApiRequiresOne(ExpectedDialect dialect) {
        int status = dialect.answers().withoutKey();
        client().post(Endpoint.CHARGE.path(dialect.dialect())).now().hasStatus(status);

        assertRuns(status == ExpectedDialect.PASSES ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAKeyThatIsTooLong(ExpectedDialect dialect) {
        assumeThat(dialect.maxLength()).as("the longest key").isPositive();
        key = "k".repeat(dialect.maxLength() + 1);

        assertThat(keyed(dialect, Endpoint.CHARGE).now().status()).isBetween(400, 499);
        assertRuns(0);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAKeyThatIsTooOld(ExpectedDialect dialect) {
        assumeThat(dialect.tooOld()).as("an age of keys").isPositive();

        key = dialect.tooOldKey();

        dialect.signTooLate(client().post(Endpoint.CHARGE.path(dialect.dialect())), key, AMOUNT)
                .now()
                .hasStatus(dialect.tooOld());
        assertRuns(0);
        assertThat(isStoredAs(key)).as("something is kept of an expired key").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void storesOrResumesAFailure(ExpectedDialect dialect) {
        begin(dialect);
        Received first = failing(dialect).now().hasStatus(500);
        if (!dialect.resumes()) {
            assertReplays(dialect, failing(dialect).now(), first);
            assertRuns(1);
            return;
        }
        Awaitility.await().atMost(PATIENCE).until(() -> failing(dialect).now().text(), "run 2"::equals);
        assertRuns(2);
    }

    /** A claim is repeated for a while before it is refused, so this is asked of a few only. */
    @ParameterizedTest
    @EnumSource(names = {"DRAFT", "STRIPE", "SQUARE"})
    void refusesInItsOwnWordsWhileTheStoreIsDown(ExpectedDialect dialect) {
        begin(dialect);
        store().down(true);

        Received refused = keyed(dialect, Endpoint.CHARGE).now().hasStatus(503).hasRetryAfter();
        assertThat(refused.text()).contains(dialect.answers().storeDownBody());
        assertRuns(0);
        store().down(false);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> keyed(dialect, Endpoint.CHARGE).now().status() == 201);
    }

    @ParameterizedTest
    @EnumSource
    void leavesOtherMethodsAlone(ExpectedDialect dialect) {
        begin(dialect);
        for (int i = 1; i <= 2; i++) {
            dialect.sign(client().send(dialect.unguarded(), Endpoint.CHARGE.path(dialect.dialect())), key, AMOUNT)
                    .now()
                    .hasStatus(201);
            assertRuns(i);
        }
    }
}
