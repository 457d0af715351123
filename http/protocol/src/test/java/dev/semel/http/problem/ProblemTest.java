package dev.semel.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.http.json.CanonicalJson;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {

    @ParameterizedTest
    @EnumSource
    void p16EachCauseHasAStableTypeAndSaysWhatIsKnownAndWhatToDo(ProblemType type) {
        assertThat(type.uri()).matches("urn:semel:problem:[a-z-]+");
        assertThat(type.status()).isBetween(400, 599);
        assertThat(Set.of("not-applied", "pending", "applied", "unknown")).contains(type.outcome());
        assertThat(Set.of("same-key", "new-key", "never")).contains(type.retry());
    }

    @ParameterizedTest
    @EnumSource
    void p16EachTypeLeadsToAHeadingOfOurPageWhereItIsPublished(ProblemType type) throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "problems.md"));
        String uri = type.uri(URI.create("https://docs.example.org/problems"));

        assertThat(uri).startsWith("https://docs.example.org/problems#");
        assertThat(page.lines()).contains("## " + uri.substring(uri.indexOf('#') + 1));
        assertThat(type.uri(URI.create("https://docs.example.org/problems/")))
                .isEqualTo("https://docs.example.org/problems/" + type.slug());
    }

    @Test
    void p16IsAProblemDetailsDocument() {
        Answer answer =
                Problem.of(ProblemType.IN_FLIGHT, "say \"wait\"\n\u0001").answer();

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.headers()).contains(new Header("Content-Type", "application/problem+json"));
        assertThat(canonical(answer))
                .isEqualTo("{\"detail\":\"say \\\"wait\\\"\\n\\u0001\",\"outcome\":\"pending\",\"retry\":\"same-key\","
                        + "\"status\":409,\"title\":\"Operation in flight\",\"type\":\"urn:semel:problem:in-flight\"}");
    }

    @Test
    void p16KeepsQuietAboutKeysInErrorsOfTheApplication() {
        assertThat(canonical(Problem.ofStatus(418, "short")))
                .isEqualTo("{\"detail\":\"short\",\"status\":418,\"type\":\"about:blank\"}");
        assertThat(canonical(Problem.ofStatus(500, null))).isEqualTo("{\"status\":500,\"type\":\"about:blank\"}");
    }

    private static String canonical(Answer answer) {
        return new String(CanonicalJson.parse(answer.body()).orElseThrow().bytes(), StandardCharsets.UTF_8);
    }
}
