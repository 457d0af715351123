package dev.semel.http.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.http.carrier.GraphQlKey.Argument;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A GraphQL document has one key, none, or cannot be read. */
class GraphQlKeyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mutation { pay(amount: 1) @idempotent(key: \"k-1\") { id } }",
                "mutation Pay($a: In = {x: [1, -2.5e+3]}) { p: pay(in: $a) @idempotent(key:\"k-1\") { id ...F } }"
                        + " fragment F on Payment { id }",
                "mutation M @idempotent ( key : \"k-1\" , ) { pay }",
                "{ pay @idempotent(key: \"k-1\") }",
                "\uFEFF# @idempotent(key: \"no\")\nmutation{pay(note:\"@idempotent(key: \\\"no\\\")\")@idempotent(key:\"k-1\")}",
                "mutation { pay(note: \"\"\"a \\\"\"\" @idempotent(key: \"no\") }\"\"\") @idempotent(key: \"k-1\") }",
                "mutation { pay @other(key: \"no\") @idempotent(key: \"k-1\") @idempotents(key: \"no\") }"
            })
    void findsTheKey(String document) throws InvalidKeyException {
        assertThat(GraphQlKey.find(document)).isEqualTo(new Argument(false, "k-1"));
    }

    @Test
    void findsTheVariableThatHoldsTheKey() throws InvalidKeyException {
        assertThat(GraphQlKey.find("mutation M($k: String!) { pay @idempotent(key: $k) { id } }"))
                .isEqualTo(new Argument(true, "k"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{ orders { id } }",
                "query A { a } query B { b }",
                "mutation { pay(idempotent: \"k\", key: \"k\") }",
                "mutation { pay(note: \"@idempotent(key: \\\"k\\\")\") }",
                "mutation { pay } # @idempotent(key: \"k\")"
            })
    void findsNone(String document) throws InvalidKeyException {
        assertThat(GraphQlKey.find(document)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // two keys, or a key of one of two operations
                "mutation { a @idempotent(key: \"1\") b @idempotent(key: \"2\") }",
                "mutation { a @idempotent(key: \"1\") b @idempotent(key: \"1\") }",
                "mutation A { a @idempotent(key: \"1\") } mutation B { b }",
                "mutation A { a @idempotent(key: \"1\", key: \"2\") }",
                // in a place that services ignore, or read more than once
                "mutation { ...F } fragment F on M { a @idempotent(key: \"1\") }",
                "mutation ($x: Int @idempotent(key: \"1\")) { a }",
                "mutation { a(x: {y: 1 @idempotent(key: \"1\")}) }",
                // not a plain string
                "mutation { a @idempotent }",
                "mutation { a @idempotent() }",
                "mutation { a @idempotent(key: 17) }",
                "mutation { a @idempotent(key: null) }",
                "mutation { a @idempotent(key: \"\\u0031\") }",
                "mutation { a @idempotent(key: \"\"\"1\"\"\") }",
                "mutation { a @idempotent(key: [\"1\"]) }",
                "mutation { a @idempotent(key: $) }",
                "mutation { a @idempotent(id: \"1\") }",
                "mutation { a @idempotent(key: \"1\"",
                "mutation { a @ (key: \"1\") }",
                // not a document
                "mutation { a @idempotent(key: \"1\") ",
                "mutation { a @idempotent(key: \"1\") } }",
                "mutation { a( } ) @idempotent(key: \"1\") }",
                "mutation { a @idempotent(key: \"1) }",
                "mutation { a @idempotent(key: \"1\n\") }",
                "mutation { a(x: \"\"\"1) @idempotent(key: \"1\") }",
                "mutation { a(x: \"\\",
                "type A { a: Int } mutation { a @idempotent(key: \"1\") }",
                "mutation { a @idempotent(key: \"1\") } \u0000",
                "mutation { a; @idempotent(key: \"1\") }",
                "mutation { a .. @idempotent(key: \"1\") }"
            })
    void refusesWhatAServiceCouldReadInAnotherWay(String document) {
        assertThatThrownBy(() -> GraphQlKey.find(document)).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void refusesADocumentThatIsTooDeep() {
        assertThatThrownBy(() -> GraphQlKey.find("{".repeat(101))).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void readsAnythingInOneOfTheseWays() {
        List<String> parts = List.of(
                "mutation",
                "{",
                "}",
                "(",
                ")",
                "@idempotent",
                "@",
                "(key:",
                "\"k\"",
                "\"\"\"",
                "\"",
                "\\",
                "$k",
                "...",
                "#",
                "\n",
                "[",
                "]",
                ":",
                "1",
                "\uD83D",
                "fragment",
                " ",
                ",");
        Random random = new Random(17);
        int found = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder document = new StringBuilder("mutation { a @idempotent(key: \"k\") ");
            for (int part = random.nextInt(6); part > 0; part--) {
                document.append(parts.get(random.nextInt(parts.size())));
            }
            try {
                found += new Argument(false, "k").equals(GraphQlKey.find(document + "}")) ? 1 : 0;
            } catch (InvalidKeyException e) {
                assertThat(e.detail()).startsWith("The key in the GraphQL document");
            }
        }
        assertThat(found).isPositive();
    }
}
