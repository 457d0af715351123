package dev.semel.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.check.CheckTarget.HeaderLine;
import dev.semel.check.report.HtmlReport;
import dev.semel.check.report.JUnitReport;
import dev.semel.check.report.JsonReport;
import dev.semel.check.report.TextReport;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown contains no secret. */
class SecretsTest {

    @ParameterizedTest
    @CsvSource({
        "https://shop.example/charges, https://shop.example/charges",
        "https://alice:s3cret@shop.example:8443/charges, https://shop.example:8443/charges",
        "https://alice:s3@cr/et@shop.example/charges, https://shop.example/charges",
        "https://alice:s3c?r@shop.example/charges, https://***?***",
        "https://[::1]:8443/charges?api_key=s3cret&x=1, https://[::1]:8443/charges?api_key=***&x=***",
        "https://shop.example/charges?s3cret, https://shop.example/charges?***",
        "jdbc:mariadb://db:3306/semel;password=s3cret, jdbc:mariadb://db:3306/semel;password=***",
        "'redis-sentinel://s3cret@a:1,b:2/0#main', 'redis-sentinel://a:1,b:2/0#main'",
        "sqlite:semel.db, sqlite:semel.db",
    })
    void aUrlIsShownWithoutItsSecrets(String url, String shown) {
        assertThat(Secrets.url(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Authorization", "X-Api-Key", "X-CSRF-Token", "Session-Id", "x-jwt", "X-Passphrase", "Cookie"})
    void aHeaderThatMayBeSecretIsShownWithoutItsValue(String name) {
        assertThat(Secrets.line(new HeaderLine(name, "s3cret"))).isEqualTo(name + ": ***");
        assertThat(new TrialRequest(CheckTarget.builder(URI.create("http://shop.example/charges"))
                                .build())
                        .with(new HeaderLine(name, "s3cret"))
                        .brief())
                .contains(name)
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://alice:s3@cret@127.0.0.1:1/semel",
                "jdbc:mariadb://127.0.0.1:1/semel?user=alice&password=s3@cret",
                "redis://:s3@cret@127.0.0.1",
            })
    void aMessageOfADriverIsShownWithoutThePassword(String url) {
        assertThat(Secrets.without(url, "no port in s3@cret: " + url + " is wrong"))
                .contains("is wrong", "127.0.0.1")
                .doesNotContain("s3@cret");
    }

    @Test
    void anOrdinaryHeaderIsShown() {
        assertThat(Secrets.line(new HeaderLine("X-Delay", "2"))).isEqualTo("X-Delay: 2");
    }

    @Test
    void messagesAboutWrongOptionsDoNotRepeatSecrets() {
        assertThatThrownBy(() -> HeaderLine.parse("Authorization Bearer s3cret"))
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> CheckTarget.address("https://alice:s3cret@shop example/"))
                .hasMessageContaining("shop example")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> CheckTarget.builder(URI.create("ftp://alice:s3cret@shop.example/")))
                .hasMessageContaining("shop.example")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aReportShowsNoSecretOfItsAddress() throws Exception {
        try (SampleApi api = new SampleApi(Fault.values()[0])) {
            CheckTarget target = CheckTarget.builder(URI.create(api.uri("/charges") + "?api_key=s3cret"))
                    .only("P1")
                    .timeout(Duration.ofSeconds(10))
                    .build();
            ApiCheck check = ApiCheck.of(target);
            CheckReport report = check.run(result -> {});

            assertThat(new TextReport(false).announcement(target, check)
                            + new TextReport(false).summary(report)
                            + JsonReport.render(report)
                            + JUnitReport.render(report)
                            + HtmlReport.render(report))
                    .contains("api_key")
                    .doesNotContain("s3cret");
        }
    }
}
