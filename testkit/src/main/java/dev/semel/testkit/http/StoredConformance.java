package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P12 to P15: which parts of a response are stored, and when. */
abstract class StoredConformance extends SameKeyConformance {

    @ParameterizedTest
    @ValueSource(ints = {200, 302, 400, 401, 403, 404, 409, 429, 500, 502, 503})
    void p12StoresEveryResponse(int code) {
        runsOnce(code, () -> keyed(Endpoint.STATUS, "?code=" + code));
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_EXECUTED", "BUSY"})
    void p12ReleasesTheKeyWhenTheHandlerSaysThatItDidNothing(Endpoint endpoint) {
        assertThat(keyed(endpoint).now().isNoReplay().status()).isGreaterThanOrEqualTo(500);

        Received second = keyed(endpoint).now().hasStatus(201).isNoReplay();
        keyed(endpoint).now().replays(second);
        assertRuns(2);
    }

    @Test
    void p12AnExceptionIsA500ThatIsReplayedAndRunsOnce() {
        Received first = keyed(Endpoint.THROW).now().hasStatus(500);
        assertThat(first.body()).isNotEmpty();

        keyed(Endpoint.THROW).now().replays(first);
        assertRuns(1);
    }

    @Test
    void p13SendsALargeResponseWholeAndDoesNotKeepIt() {
        int size = Endpoint.MAX_PAYLOAD * 5;
        Received first = keyed(Endpoint.LARGE, "?size=" + size).now().hasStatus(201);
        assertThat(first.body()).hasSize(size);
        for (int i = 0; i < size; i++) {
            assertThat(first.body()[i]).isEqualTo((byte) (i * 31 + 1));
        }

        Received second = keyed(Endpoint.LARGE, "?size=" + size)
                .now()
                .isProblem(410, "response-not-retained", "applied", "never");
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(second.text()).contains("\"originalStatus\":201");
        assertThat(second.isReplay()).isTrue();
        assertRuns(1);
    }

    @Test
    void p13KeepsAResponseThatIsJustSmallEnough() {
        runsOnce(201, () -> keyed(Endpoint.LARGE, "?size=" + Endpoint.MAX_PAYLOAD));
    }

    @Test
    void p14StoresTheOutcomeOfAClientThatHasLeft() throws IOException {
        try (Abandoned ignored = client().abandon(Endpoint.SLOW.path(), key)) {
            awaitRuns(1);
        }
        service().end(testCase);

        assertThat(awaitStatus(Endpoint.SLOW, 201).isReplay()).isTrue();
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"ASYNC", "ASYNC_ERROR", "SEND_ERROR", "GZIP", "CHUNKED", "EMPTY", "NO_CONTENT"})
    void p15ReplaysEveryKindOfResponse(Endpoint endpoint) {
        Received first = keyed(endpoint).now().isNoReplay();
        assertThat(first.body().length > 0)
                .as("has a body")
                .isEqualTo(endpoint != Endpoint.EMPTY && endpoint != Endpoint.NO_CONTENT);

        keyed(endpoint).now().replays(first);
        assertRuns(1);
    }

    @Test
    void p15ReplaysTheRealAnswerOfAnAsynchronousHandler() {
        Received first = keyed(Endpoint.ASYNC).now().hasStatus(201);
        assertThat(first.text()).contains("\"run\" : 1");

        keyed(Endpoint.ASYNC).now().replays(first);
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND_ERROR", "ASYNC_ERROR"})
    void p15ReplaysAnErrorWithItsStatus(Endpoint endpoint) {
        runsOnce(418, () -> keyed(endpoint, "?code=418"));
    }
}
