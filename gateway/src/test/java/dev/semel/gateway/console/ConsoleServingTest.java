package dev.semel.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.KeyRecord;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the console is made of and how it is served, without a browser. */
class ConsoleServingTest {

    private static final Path FILES = Path.of("src/main/resources/console");

    private static SeededGateway gateway;

    @BeforeAll
    static void startGateway() throws IOException {
        gateway = new SeededGateway();
    }

    @AfterAll
    static void stopGateway() {
        gateway.close();
    }

    @Test
    void servesEachFileWithItsType() throws Exception {
        for (Path file : files()) {
            String path = FILES.relativize(file).toString().replace('\\', '/');
            HttpResponse<String> answer = gateway.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).as(path).isEqualTo(Files.readString(file));
            assertThat(answer.headers().firstValue("Content-Type")).as(path).isPresent();
        }
    }

    @Test
    void noFileOfOursParsesHtmlOrNamesAnotherHost() throws IOException {
        for (Path file : files()) {
            if (!file.toString().contains("vendor")) {
                assertThat(Files.readString(file).replace("http://www.w3.org/2000/svg", ""))
                        .as(file.toString())
                        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
                        .doesNotContain("http://", "https://", "style=", " onclick=");
            }
        }
    }

    /** A number would lose digits in a browser, and a decision would then miss the key that it was made for. */
    @Test
    void fencingTokensAreText() throws Exception {
        KeyRecord key = gateway.find("order-7").orElseThrow();
        String token = "\"token\":\"" + key.token() + "\"";
        assertThat(gateway.get("api/keys?key=order-7").body()).contains(token);
        assertThat(gateway.get("api/keys/" + key.key().digest()).body()).contains(token);
    }

    @Test
    void allowsNothingButItsOwnFiles() throws Exception {
        HttpResponse<String> page = gateway.get("");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'")
                        .doesNotContain("unsafe"));
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(FILES)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
