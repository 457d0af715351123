package dev.semel.http.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Header;
import dev.semel.http.json.CanonicalJson;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DialectTest {

    private static final String HOSTILE = "He said \"no\" \\ {code} \u0000 \n $1";

    static List<String> names() {
        return Dialect.names();
    }

    private static String text(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("names")
    void answersEveryCauseWithJson(String name) {
        Dialect dialect = Dialect.named(name);
        for (ProblemType cause : ProblemType.values()) {
            Answer answer = dialect.answer(Problem.of(cause, HOSTILE));

            assertThat(answer.status()).isEqualTo(dialect.status(cause));
            assertThat(CanonicalJson.parse(answer.body())).as(text(answer)).isPresent();
            assertThat(answer.cause()).isEqualTo(cause);
            assertThat(answer.headers())
                    .contains(new Header("Cache-Control", "no-store"), new Header("Content-Language", "en"));
        }
        assertThat(CanonicalJson.parse(dialect.answer(400, HOSTILE).body())).isPresent();
        assertThat(CanonicalJson.parse(dialect.answer(503, null).body())).isPresent();
    }

    @ParameterizedTest
    @MethodSource("names")
    void neverTurnsARefusalIntoASuccess(String name) {
        Dialect dialect = Dialect.named(name);
        boolean acknowledges = dialect.signatures() != null;
        for (ProblemType cause : ProblemType.values()) {
            assertThat(dialect.status(cause))
                    .as("%s of %s", cause, name)
                    .satisfies(
                            status -> assertThat(status >= 400 || acknowledges).isTrue());
        }
    }

    @Test
    void stripesClientsSeeAnErrorInEveryAnswer() {
        for (String name : List.of("stripe", "stripe-v2")) {
            for (ProblemType cause : ProblemType.values()) {
                assertThat(text(Dialect.named(name).answer(Problem.of(cause, "no"))))
                        .startsWith("{\"error\":{\"type\":\"");
            }
            assertThat(text(Dialect.named(name).answer(400, "no"))).startsWith("{\"error\":{\"type\":\"");
        }
    }

    @Test
    void saysWhatThereIsToOneWhoAsksForAnother() {
        assertThatThrownBy(() -> Dialect.named("strip"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"strip\"")
                .hasMessageContaining("draft, stripe, stripe-v2");
    }

    @Test
    void canBeMadeByUsers() {
        Dialect own = Dialect.builder("ours")
                .header("X-Our-Key", false)
                .markers("X-Ours", "X-Theirs")
                .resultHeader("X-Our-Key", "{key}")
                .error("text/json", "{\"oops\":\"{code}\",\"status\":{status}}")
                .answer(ProblemType.KEY_REUSED, 409, "twice")
                .answerHeader(ProblemType.KEY_REUSED, "X-Hint", "new key")
                .build();

        Answer answer = own.answer(Problem.of(ProblemType.KEY_REUSED, "no"));
        assertThat(answer.status()).isEqualTo(409);
        assertThat(text(answer)).isEqualTo("{\"oops\":\"twice\",\"status\":409}");
        assertThat(answer.headers()).contains(new Header("Content-Type", "text/json"), new Header("X-Hint", "new key"));
        assertThat(text(own.answer(Problem.of(ProblemType.IN_FLIGHT, "no"))))
                .isEqualTo("{\"oops\":\"in_flight\",\"status\":409}");
        assertThat(own.ofReplay("k1"))
                .containsExactly(
                        new Header("X-Our-Key", "k1"), new Header("X-Ours", "true"), new Header("X-Theirs", "true"));
        assertThat(own.ofResult("k\r\nSet-Cookie: a=b")).isEmpty();
    }

    @Test
    void typesLeadToThePageThatDescribesThem() {
        URI page = URI.create("https://docs.example.org/problems");
        Problem problem = Problem.of(ProblemType.KEY_REUSED, "no");
        Dialect draft =
                Dialect.builder("draft", Dialect.draft()).problemPages(page).build();
        Dialect own = Dialect.builder("ours")
                .error("text/json", "{\"see\":\"{type}\"}")
                .problemPages(page)
                .build();

        assertThat(text(draft.answer(problem)))
                .startsWith("{\"type\":\"https://docs.example.org/problems#key-reused\",\"title\":");
        assertThat(text(own.answer(problem))).isEqualTo("{\"see\":\"https://docs.example.org/problems#key-reused\"}");
        assertThat(text(Dialect.draft().answer(problem))).startsWith("{\"type\":\"urn:semel:problem:key-reused\"");
    }

    @Test
    void refusesDataThatDoesNotFit() {
        assertThatThrownBy(() -> Dialect.builder("ours").problemPages(URI.create("/problems")))
                .hasMessageContaining("/problems");
        assertThatThrownBy(() -> Dialect.builder("ours").error("text/json", "{\"a\":\"{reason}\"}"))
                .hasMessageContaining("{reason}");
        assertThatThrownBy(() -> Dialect.builder("ours")
                        .answer(ProblemType.KEY_REUSED, 409, "twice")
                        .build())
                .hasMessageContaining("KEY_REUSED");
        assertThatThrownBy(() -> Dialect.builder("ours").answerHeader(ProblemType.IN_FLIGHT, "A", "b"))
                .hasMessageContaining("IN_FLIGHT");
        assertThatThrownBy(() -> Dialect.builder("ours").maxKeyLength(0).build())
                .hasMessageContaining("got 0");
    }
}
