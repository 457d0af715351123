package dev.semel.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

    private static String canonical(String json) {
        return CanonicalJson.parse(json.getBytes(StandardCharsets.UTF_8))
                .map(document -> new String(document.bytes(), StandardCharsets.UTF_8))
                .orElse("none");
    }

    /** The example of RFC 8785, section 3.2.2, without its number that no double holds exactly. */
    @Test
    void p6WritesTheExampleOfTheSpecification() {
        String input = """
                {
                  "numbers": [1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""";

        assertThat(canonical(input))
                .isEqualTo("{\"literals\":[null,true,false],\"numbers\":[1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    /** The example of RFC 8785, section 3.2.3. */
    @Test
    void p6SortsMembersByCodeUnits() {
        assertThat(
                        canonical(
                                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"))
                .isEqualTo(
                        "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,\"\ufb33\":3}");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0,0",
        "-0.0,0",
        "0e5,0",
        "0e999999999,0",
        "1.0,1",
        "10,10",
        "1e2,100",
        "123456789012345,123456789012345",
        "9007199254740992,9007199254740992",
        "333333333.33333329,none",
        "9007199254740993,none",
        "0.1,0.1",
        "100000000000000000000,100000000000000000000",
        "1e21,1e+21",
        "1e400,none",
        "1e-400,none",
        "1e999999999,none",
        "1e-999999999,none",
        "5e-324,5e-324",
        "4.9e-324,none"
    })
    void p6WritesNumbersThatADoubleHoldsAndNoOthers(String number, String canonical) {
        assertThat(canonical(number)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "[1] x",
                "1 2",
                "nul",
                "NaN",
                "-Infinity",
                "01",
                "+1",
                ".5",
                "1.",
                "\"\t\"",
                "\"\\x\"",
                "// c\n1",
                "\"\\ud800\"",
                "{\"\\udc00\":1}",
                "\ufeff1"
            })
    void p6KnowsWhatHasNoCanonicalForm(String text) {
        assertThat(canonical(text)).isEqualTo("none");
    }

    @Test
    void p6RefusesDuplicateMembersAtAnyDepth() {
        assertThat(canonical("{\"a\":1,\"a\":1}")).isEqualTo("none");
        assertThat(canonical("[{\"x\":{\"a\":1,\"b\":2,\"\\u0061\":3}}]")).isEqualTo("none");
    }

    @Test
    void p6RefusesWhatIsNotUtf8() {
        for (byte[] text : List.of(
                new byte[] {'"', (byte) 0xff, '"'},
                new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xe2, (byte) 0x82, '"'},
                "[1]".getBytes(StandardCharsets.UTF_16BE),
                "[1]".getBytes(StandardCharsets.UTF_16LE))) {
            assertThat(CanonicalJson.parse(text)).isEmpty();
        }
    }

    @Test
    void p6BoundsDepthTokensAndSize() {
        assertThat(canonical("[".repeat(100) + "]".repeat(100))).startsWith("[[");
        assertThat(canonical("[".repeat(101) + "]".repeat(101))).isEqualTo("none");
        assertThat(canonical("[".repeat(1 << 20))).isEqualTo("none");
        assertThat(canonical("[" + "0,".repeat(200_000) + "0]")).isEqualTo("none");
        assertThat(canonical("1" + "0".repeat(2000))).isEqualTo("none");
        assertThat(canonical("\"" + "a".repeat(1 << 20) + "\"")).isEqualTo("none");
        assertThat(canonical("\"" + "a".repeat(1 << 19) + "\"")).hasSize((1 << 19) + 2);
    }

    @Test
    void p6TakesFieldsOut() {
        CanonicalJson json = CanonicalJson.parse(
                        "{\"a\":{\"b\":[1,2,3],\"c\":4},\"d/e\":5}".getBytes(StandardCharsets.UTF_8))
                .orElseThrow();

        assertThat(json.without(List.of(JsonPointer.parse("/a/b/1"), JsonPointer.parse("/d~1e")))
                        .bytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"a\":{\"b\":[1,3],\"c\":4}}");
        assertThat(json.without(List.of(JsonPointer.parse("/a/x/y"), JsonPointer.parse("/a/b/9")))
                        .bytes())
                .isEqualTo(json.bytes());
        assertThat(json.bytes(JsonPointer.parse("/a/b")))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("[1,2,3]");
        assertThat(json.bytes(JsonPointer.parse("/a/b/01"))).isNull();
    }

    /** An independent implementation of RFC 8785 agrees. */
    @Property(tries = 300)
    void p6AgreesWithAnotherImplementation(@ForAll("documents") String json) throws IOException {
        assertThat(canonical(json)).isEqualTo(new JsonCanonicalizer(json).getEncodedString());
    }

    /** The short way and the long one agree on every document, also on wrong ones. */
    @Property(tries = 20_000)
    void p6WritesFlatDocumentsLikeAllOthers(@ForAll("nearlyFlat") String json) {
        byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
        byte[] flat = FlatJson.canonical(utf8);
        byte[] tree = CanonicalJson.parseTree(utf8).map(CanonicalJson::bytes).orElse(null);

        if (flat != null) {
            assertThat(flat)
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(tree == null ? "none" : new String(tree, StandardCharsets.UTF_8));
        }
    }

    @Test
    void p6TakesTheShortWayForTheRequestsOfMostServices() {
        String json = "{ \"order\":\"A-17\",\"amount\": 1999,\"gift\":false,\n\"note\":null }";

        assertThat(FlatJson.canonical(json.getBytes(StandardCharsets.UTF_8)))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"amount\":1999,\"gift\":false,\"note\":null,\"order\":\"A-17\"}");
        assertThat(CanonicalJson.parse(json.getBytes(StandardCharsets.UTF_8))
                        .orElseThrow()
                        .bytes(JsonPointer.parse("/order")))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("\"A-17\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 64, 65, 500})
    void p6SortsAnyNumberOfMembers(int members) {
        String json = IntStream.range(0, members)
                .mapToObj(i -> "\"" + (members - i) + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
        byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);

        assertThat(CanonicalJson.parse(utf8).orElseThrow().bytes())
                .isEqualTo(CanonicalJson.parseTree(utf8).orElseThrow().bytes());
    }

    /** Pieces of flat documents in an order that often makes one. */
    @Provide
    Arbitrary<String> nearlyFlat() {
        Arbitrary<String> name = Arbitraries.frequencyOf(
                Tuple.of(
                        9,
                        Arbitraries.strings()
                                .withCharRange('a', 'c')
                                .ofMaxLength(3)
                                .map(text -> '"' + text + '"')),
                Tuple.of(1, Arbitraries.of("\"A \u007f\"", "\"\u00e4\"", "\"\\u0061\"", "a")));
        Arbitrary<String> value = Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.of("0", "12", "123456789012345", "true", "false", "null", "\"\"", "\"x y/\"")),
                Tuple.of(
                        1,
                        Arbitraries.of(
                                "00",
                                "01",
                                "-1",
                                "-0",
                                "1.0",
                                "1e2",
                                "1234567890123456",
                                "nul",
                                "truex",
                                "\"\\n\"",
                                "\"\t\"",
                                "\"\u20ac\"",
                                "{}",
                                "[]",
                                "[1]",
                                "\"x",
                                "")));
        Arbitrary<String> space = Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.just("")),
                Tuple.of(10, Arbitraries.of(" ", "\n", "\t\r ")),
                Tuple.of(1, Arbitraries.of("\f", "\u00a0", ",", ":", "}", "{", "\ufeff", "\u0000")));
        Arbitrary<String> member = Combinators.combine(space, name, space, value, space)
                .as((before, named, between, given, after) -> before + named + between + ":" + between + given + after);
        return Combinators.combine(space, member.list().ofMaxSize(30), space)
                .as((before, members, after) -> before + "{" + String.join(",", members) + "}" + after);
    }

    @Provide
    Arbitrary<String> documents() {
        return containers(4);
    }

    private static Arbitrary<String> containers(int depth) {
        Arbitrary<String> value = depth == 0
                ? scalars()
                : Arbitraries.frequencyOf(
                        Tuple.of(2, scalars()), Tuple.of(1, Arbitraries.lazy(() -> containers(depth - 1))));
        Arbitrary<String> arrays = value.list().ofMaxSize(4).map(elements -> "[ " + String.join(" ,", elements) + "]");
        Arbitrary<String> objects = Arbitraries.maps(strings(), value)
                .ofMaxSize(5)
                .map(members -> "{"
                        + String.join(
                                ", ",
                                members.entrySet().stream()
                                        .map(member -> member.getKey() + " : " + member.getValue())
                                        .toList())
                        + " }");
        return Arbitraries.oneOf(arrays, objects);
    }

    private static Arbitrary<String> scalars() {
        return Arbitraries.oneOf(
                strings(),
                Arbitraries.integers().map(String::valueOf),
                Arbitraries.doubles().between(-1e9, 1e9).ofScale(5).map(String::valueOf),
                Arbitraries.of("true", "false", "null", "1e3", "0.50"));
    }

    private static Arbitrary<String> strings() {
        return Arbitraries.strings()
                .ofMaxLength(6)
                .excludeChars('"', '\\')
                .filter(text -> text.chars().noneMatch(c -> c < 0x20 || Character.isSurrogate((char) c)))
                .map(text -> "\"" + text + "\"");
    }
}
