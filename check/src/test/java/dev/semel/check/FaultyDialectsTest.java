package dev.semel.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.check.report.TextReport;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every fault in how a server speaks a dialect is found by the case that is meant for it. */
class FaultyDialectsTest {

    private static final ApiDialect HEADER = ApiDialect.builder("sample")
            .keyHeader("Request-Token", false)
            .maxKeyLength(64)
            .markers("Was-Replayed")
            .resultHeader("Request-Token", "{key}")
            .mismatch(400, "\"error\":\"token_reused\"")
            .inFlight(409, "\"error\":\"token_in_use\"")
            .missing(400, "\"error\":\"token_missing\"")
            .build();

    private static final ApiDialect BODY = ApiDialect.builder("sample-body")
            .keyMember("token")
            .storesErrors(false)
            .mismatch(409, "\"code\":7")
            .inFlight(503, "\"code\":8")
            .build();

    private static final Map<DialectFault, CompletableFuture<CheckReport>> REPORTS = new EnumMap<>(DialectFault.class);
    private static ExecutorService threads;

    /** They mostly wait, so they wait together. */
    @BeforeAll
    static void checkAllServers() {
        threads = Executors.newFixedThreadPool(DialectFault.values().length);
        for (DialectFault fault : DialectFault.values()) {
            REPORTS.put(fault, CompletableFuture.supplyAsync(() -> check(HEADER, fault), threads));
        }
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
    }

    private static CheckReport check(ApiDialect dialect, DialectFault fault) {
        try (DialectApi api = new DialectApi(dialect, fault)) {
            CheckTarget target = CheckTarget.builder(api.uri())
                    .dialect(dialect)
                    .slowHeader("X-Slow", "yes")
                    .timeout(Duration.ofSeconds(6))
                    .only("P9.1", "P20")
                    .build();
            return ApiCheck.of(target).run(result -> {});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> ids(CheckReport report) {
        return report.findings().stream()
                .map(finding -> finding.checkCase().id())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsTheFaultOfEachServer(DialectFault fault) {
        CheckReport report = REPORTS.get(fault).join();

        assertThat(ids(report)).as(new TextReport(false).summary(report)).contains(fault.found);
    }

    @Test
    void findsNothingWrongWithAServerThatIsRight() {
        CheckReport report = REPORTS.get(DialectFault.NONE).join();

        assertThat(ids(report)).as(new TextReport(false).summary(report)).isEmpty();
        assertThat(report.results()).hasSize(6).allMatch(result -> result.state() == CaseResult.State.PASSED);
    }

    @Test
    void readsKeysInTheBody() {
        CheckReport report = check(BODY, DialectFault.NONE);

        assertThat(ids(report)).as(new TextReport(false).summary(report)).isEmpty();
        assertThat(ids(check(BODY, DialectFault.MISMATCH_STATUS))).containsExactly("P20.1");
    }

    @Test
    void doesNotAskADialectForWhatTheDraftSays() {
        ApiCheck check = ApiCheck.of(CheckTarget.builder(CheckTarget.address("http://127.0.0.1/"))
                .dialect(BODY)
                .build());

        assertThat(check.cases())
                .extracting(CheckCase::id)
                .contains("P20.1", "P9.1")
                .doesNotContain("P1.1", "P3.1", "P9.4", "P12.2", "P16.1");
        assertThatThrownBy(() -> CheckTarget.builder(CheckTarget.address("http://127.0.0.1/"))
                        .only("P21")
                        .build())
                .hasMessageContaining("P21");
    }
}
