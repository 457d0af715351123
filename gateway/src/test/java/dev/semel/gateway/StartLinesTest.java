package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code semel serve} prints when it starts. */
class StartLinesTest {

    private static final Pattern LINK = Pattern.compile("(?m)^console: (http://127[^#]*)#token=(\\S+)$");

    @TempDir
    Path directory;

    private static int status(URI uri, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + token)
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void theLinkToTheConsoleHasTheTokenThatOpensIt() throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(directory, "128m", "http://127.0.0.1:1", "memory:")
                .withoutAdminToken()
                .start()) {
            Matcher link = LINK.matcher(gateway.printed());
            assertThat(link.find()).as(gateway.printed()).isTrue();

            assertThat(link.group(1)).isEqualTo(gateway.adminUri("/").toString());
            assertThat(status(gateway.adminUri("/api/keys"), link.group(2))).isEqualTo(200);
            assertThat(status(gateway.adminUri("/api/keys"), "guess")).isEqualTo(401);
            assertThat(gateway.printed())
                    .contains("set SEMEL_ADMIN_TOKEN")
                    .contains("warning: keys are kept in memory");
        }
    }

    @Test
    void aTokenThatWasConfiguredIsNotPrinted() throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(directory, "128m", "http://127.0.0.1:1", "memory:").start()) {
            assertThat(gateway.printed())
                    .contains("console: " + gateway.adminUri("/") + System.lineSeparator())
                    .doesNotContain(GatewayProcess.ADMIN_TOKEN);
            assertThat(status(gateway.adminUri("/api/keys"), GatewayProcess.ADMIN_TOKEN))
                    .isEqualTo(200);
        }
    }
}
