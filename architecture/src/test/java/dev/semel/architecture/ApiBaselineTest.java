package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was compiled against the stored API compiles and runs with the API of today. */
class ApiBaselineTest {

    private static final String VERSION = SourceModule.elements(SourceModule.ROOT.resolve("pom.xml"), "version")
            .get(0)
            .getTextContent();

    private static byte[] api;

    @BeforeAll
    static void archiveTheApi() {
        api = ApiArchive.of(SourceModule.published());
        if (ApiBaseline.isRenewing() && ApiBaseline.isOf(VERSION)) {
            ApiBaseline.store(api);
        }
    }

    @Test
    void theApiHasNoBreakWithoutAReason() {
        assertThat(ApiBreaks.between(ApiBaseline.stored(), api))
                .as("breaks of the API; if they are meant: docs/decisions/0023, or before 0.1.0: " + ApiBaseline.RENEW)
                .isSubsetOf(ApiBaseline.allowed().keySet());
    }

    @Test
    void everyAllowedBreakIsABreak() {
        assertThat(ApiBaseline.allowed().keySet())
                .as("lines of config/api-breaks.txt")
                .isSubsetOf(ApiBreaks.between(ApiBaseline.stored(), api));
    }

    @Test
    void theBaselineIsTheApiOfTheRelease() {
        assumeTrue(ApiBaseline.isOf(VERSION), "the baseline is that of the last release");

        assertThat(ApiBreaks.changedTypes(ApiBaseline.stored(), api))
                .as("types that differ from config/api/baseline.jar; renew it with: " + ApiBaseline.RENEW)
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.1.0-SNAPSHOT, true", "0.1.0, true", "0.2.0-SNAPSHOT, false", "0.2.0, true"})
    void theBaselineChangesWithReleasesOnly(String version, boolean renewed) {
        assertThat(ApiBaseline.isOf(version)).isEqualTo(renewed);
    }

    @Test
    void anAllowedBreakHasAReason() {
        assertThat(ApiBaseline.allowed(List.of("# comment", "", "a.B.c() METHOD_REMOVED # no one could call it")))
                .isEqualTo(Map.of("a.B.c() METHOD_REMOVED", "no one could call it"));
        assertThatIllegalArgumentException().isThrownBy(() -> ApiBaseline.allowed(List.of("a.B.c() METHOD_REMOVED")));
    }
}
