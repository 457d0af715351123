package dev.semel.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.check.report.HtmlReport;
import dev.semel.check.report.TextReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Every fault is found by the case that is meant for it, and what is right has no finding. */
class FaultyServersTest {

    private static final Map<Fault, CompletableFuture<CheckReport>> REPORTS = new EnumMap<>(Fault.class);
    private static final Path DIRECTORY = Path.of("target", "reports");
    private static ExecutorService threads;

    /** They mostly wait, so they wait together. */
    @BeforeAll
    static void checkAllServers() throws IOException {
        Files.createDirectories(DIRECTORY);
        threads = Executors.newFixedThreadPool(20);
        for (Fault fault : Fault.values()) {
            REPORTS.put(fault, CompletableFuture.supplyAsync(() -> check(fault), threads));
        }
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
    }

    static CheckTarget.Builder target(SampleApi api) {
        return uncounted(api).effectsUri(api.uri("/effects") + "?{key}");
    }

    private static CheckTarget.Builder uncounted(SampleApi api) {
        return CheckTarget.builder(api.uri("/charges"))
                .otherUri(api.uri("/refunds"))
                .slowHeader("X-Slow", "1500")
                .errorHeader("X-Fail", "yes")
                .badBody("{\"amount\": \"bad\"}")
                .callerA("Authorization", "Bearer alice")
                .callerB("Authorization", "Bearer bob")
                .keyRequired(true)
                .timeout(Duration.ofSeconds(6));
    }

    private static CheckReport check(Fault fault) {
        try (SampleApi api = new SampleApi(fault)) {
            ApiCheck check = ApiCheck.of(target(api).build());
            CheckReport report = check.run(result -> {});
            assertThat(api.requests()).isEqualTo(report.sent()).isLessThanOrEqualTo(check.requests());
            String name = fault.name().toLowerCase(java.util.Locale.ROOT);
            Files.writeString(DIRECTORY.resolve(name + ".html"), HtmlReport.render(report));
            Files.writeString(DIRECTORY.resolve(name + ".txt"), new TextReport(false).summary(report));
            return report;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
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
    void findsTheFaultOfEachServer(Fault fault) {
        CheckReport report = REPORTS.get(fault).join();

        assertThat(ids(report)).as(new TextReport(false).summary(report)).containsAll(fault.found);
    }

    @Test
    void findsNothingWrongWithAServerThatIsRight() {
        CheckReport report = REPORTS.get(Fault.NONE).join();

        assertThat(ids(report)).as(new TextReport(false).summary(report)).isEmpty();
        assertThat(report.results())
                .filteredOn(result -> result.state() == CaseResult.State.SKIPPED)
                .extracting(result -> result.checkCase().id())
                .containsExactly("P11.1");
    }

    private static CheckTarget.Builder careless(CarelessApi api) {
        return CheckTarget.builder(api.uri("/charges"))
                .otherUri(api.uri("/refunds"))
                .slowHeader("X-Slow", "1000")
                .errorHeader("X-Fail", "yes")
                .badBody("{\"amount\": \"bad\"}")
                .callerA("Authorization", "Bearer alice")
                .callerB("Authorization", "Bearer bob")
                .timeout(Duration.ofSeconds(6));
    }

    private static List<String> passed(CheckReport report) {
        return report.results().stream()
                .filter(result -> result.state() == CaseResult.State.PASSED)
                .map(result -> result.checkCase().id())
                .toList();
    }

    @Test
    void passesNothingThatItCannotSee() throws Exception {
        try (CarelessApi api = new CarelessApi(Integer.MAX_VALUE)) {
            CheckReport report = ApiCheck.of(careless(api).build()).run(result -> {});

            assertThat(passed(report))
                    .as(new TextReport(false).summary(report))
                    .doesNotContain(
                            "P3.2", "P7.2", "P8.1", "P8.2", "P9.5", "P12.2", "P14.1", "P14.2", "P18.1", "P18.2");
            assertThat(ids(report)).contains("P3.1", "P7.1").doesNotContain("P8.1", "P9.5", "P18.1");
        }
    }

    @Test
    void passesNothingOnACountThatStaysAtZero() throws Exception {
        try (CarelessApi api = new CarelessApi(Integer.MAX_VALUE)) {
            CheckTarget target = careless(api)
                    .effectsUri(api.uri("/stuck-at-zero") + "?{key}")
                    .build();
            CheckReport report = ApiCheck.of(target).run(result -> {});

            assertThat(passed(report))
                    .as(new TextReport(false).summary(report))
                    .doesNotContain("P7.1", "P8.1", "P8.2", "P9.5", "P12.2", "P14.1", "P14.2");
            assertThat(ids(report)).contains("P8.1", "P8.2", "P9.5", "P14.1", "P14.2");
        }
    }

    @Test
    void doesNotTakeARateLimitForARefusalOfTheKey() throws Exception {
        try (CarelessApi api = new CarelessApi(Baseline.REQUESTS)) {
            CheckTarget target =
                    careless(api).only("P3", "P5", "P7.1", "P7.2", "P12.1").build();
            CheckReport report = ApiCheck.of(target).run(result -> {});

            assertThat(passed(report)).as(new TextReport(false).summary(report)).isEmpty();
        }
    }

    @Test
    void seesByItsMarksThatAServerIsRight() throws Exception {
        try (SampleApi api = new SampleApi(Fault.NONE)) {
            CheckReport report = ApiCheck.of(uncounted(api).build()).run(result -> {});

            assertThat(ids(report)).as(new TextReport(false).summary(report)).isEmpty();
            assertThat(report.results())
                    .filteredOn(result -> result.state() == CaseResult.State.SKIPPED)
                    .extracting(result -> result.checkCase().id())
                    .containsExactly("P11.1", "P14.2");
        }
    }

    @Test
    void findsAServerThatKnowsTheHeaderByOneSpellingOnly() throws Exception {
        try (CaseSensitiveApi api = new CaseSensitiveApi()) {
            CheckTarget target =
                    CheckTarget.builder(api.uri()).only("P2", "P9.1").build();
            assertThat(ids(ApiCheck.of(target).run(result -> {}))).containsExactly("P2.2");
        }
    }

    @Test
    void findsAKeyThatIsForgottenTooEarly() throws Exception {
        try (SampleApi right = new SampleApi(Fault.NONE, 1500);
                SampleApi wrong = new SampleApi(Fault.NONE, 200)) {
            CheckTarget.Builder brief =
                    target(right).retention(Duration.ofMillis(1600)).only("P11");
            CheckReport good = ApiCheck.of(brief.build()).run(result -> {});
            assertThat(ids(good)).as(new TextReport(false).summary(good)).isEmpty();
            brief = target(wrong).retention(Duration.ofMillis(1600)).only("P11");
            assertThat(ids(ApiCheck.of(brief.build()).run(result -> {}))).containsExactly("P11.1");
        }
    }
}
