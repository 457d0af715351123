package dev.semel.cli;

import dev.semel.check.ApiDialect;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The expectations of {@code semel check} for each dialect. */
final class CheckDialects {

    /** A member of JSON with a text or a number. */
    private static final Pattern MEMBER = Pattern.compile("\"[^\"]+\":(?:\"[^\"]*\"|[0-9]+)");

    /** A placeholder for text that differs between APIs. */
    private static final String MESSAGE = "MESSAGE";

    private CheckDialects() {}

    static ApiDialect named(String name) {
        Dialect dialect = Dialect.named(name);
        ApiDialect.Builder expected = ApiDialect.builder(name)
                .keyHeader(dialect.header(), dialect.quotesKeys())
                .maxKeyLength(dialect.bodyPointer() == null ? dialect.maxKeyLength() : 0)
                .storesErrors(dialect.failures() == Dialect.FailureRule.STORED)
                .markers(dialect.markers().stream().map(header -> header.name()).toArray(String[]::new))
                .mismatch(dialect.status(ProblemType.KEY_REUSED), parts(dialect, ProblemType.KEY_REUSED))
                .inFlight(dialect.status(ProblemType.IN_FLIGHT), parts(dialect, ProblemType.IN_FLIGHT));
        if (dialect.keyFormat().startsWith("uuid")) {
            expected.uuidKeys(dialect.keyFormat().endsWith("7") ? 7 : 4);
        }
        if (dialect.keyTimeHeader() != null) {
            expected.timeHeader(dialect.keyTimeHeader());
        }
        String pointer = dialect.bodyPointer();
        if (pointer != null) {
            expected.keyMember(pointer.substring(1));
        }
        if (pointer != null || Boolean.TRUE.equals(dialect.keyRequired())) {
            expected.missing(dialect.status(ProblemType.KEY_MISSING), parts(dialect, ProblemType.KEY_MISSING));
        }
        dialect.resultHeaders().forEach(header -> expected.resultHeader(header.name(), header.value()));
        return expected.build();
    }

    /** The text that every body of this refusal contains. */
    private static String[] parts(Dialect dialect, ProblemType cause) {
        String body = new String(dialect.answer(Problem.of(cause, MESSAGE)).body(), StandardCharsets.UTF_8);
        return MEMBER.matcher(body)
                .results()
                .map(MatchResult::group)
                .filter(member -> !member.contains(MESSAGE))
                .toArray(String[]::new);
    }
}
