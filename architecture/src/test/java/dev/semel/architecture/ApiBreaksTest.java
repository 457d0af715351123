package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a break of an API. */
class ApiBreaksTest {

    private static final Pattern TYPE = Pattern.compile("(?:class|interface) (\\w+)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "class A { public void m() {} }              | class A { void m() {} }                       | a.A.m() METHOD_REMOVED",
                "class A { public void m() {} }              | class A { }                                   | a.A.m() METHOD_REMOVED",
                "class A { protected void m() {} }           | class A { }                                   | a.A.m() METHOD_REMOVED",
                "class A { public void m() {} }              | class A { public void m(int i) {} }           | a.A.m() METHOD_REMOVED",
                "class A { public static int f; }            | class A { }                                   | a.A.f FIELD_REMOVED",
                "class A { public A(int i) {} public A() {} }| class A { }                                   | a.A.new(int) CONSTRUCTOR_REMOVED",
                "class A { }                                 | final class A { }                             | a.A CLASS_NOW_NOT_EXTENDABLE",
                "class A { public class B { } }              | class A { }                                   | a.A$B CLASS_REMOVED",
                "class A<T> { }                              | class A { }                                   | a.A CLASS_GENERIC_TEMPLATE_CHANGED",
                "interface A { }                             | interface A { void m(); }                     | a.A.m() METHOD_ADDED_TO_INTERFACE",
                "@interface A { }                            | @interface A { int m(); }                     | a.A.m() METHOD_ABSTRACT_ADDED_TO_CLASS"
            })
    void namesABreak(String before, String after, String expected) throws IOException {
        assertThat(breaks("public " + before, "public " + after)).contains(expected);
    }

    @Test
    void namesABreakInGenericsAlone() throws IOException {
        assertThat(breaks(
                        "public class A { public java.util.List<String> m() { return null; } }",
                        "public class A { public java.util.List<Integer> m() { return null; } }"))
                .containsExactly("a.A.m() METHOD_RETURN_TYPE_GENERICS_CHANGED");
        assertThat(breaks(
                        "public class A { public void m(java.util.List<String> l) { } }",
                        "public class A { public void m(java.util.List<Integer> l) { } }"))
                .containsExactly("a.A.m(java.util.List) METHOD_PARAMETER_GENERICS_CHANGED");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "class A { }                                 | class A { public void m() {} }",
                "class A { private int f; void m() {} }      | class A { private String g; void n() {} }",
                "class A { private A() {} }                  | final class A { private A(int i) {} }",
                "interface A { }                             | interface A { default void m() {} }",
                "@interface A { }                            | @interface A { int m() default 1; }",
                "sealed interface A permits A.B { final class B implements A { } } | sealed interface A permits A.B { void m(); final class B implements A { public void m() {} } }"
            })
    void anythingElseIsNone(String before, String after) throws IOException {
        assertThat(breaks("public " + before, "public " + after)).isEmpty();
    }

    @Test
    void aNewMethodOfWhatUsersImplementThroughASealedTypeIsABreak() throws IOException {
        String type = "public sealed interface A permits A.B { %s non-sealed interface B extends A { } }";

        assertThat(breaks(type.formatted(""), type.formatted("void m();")))
                .contains("a.A.m() METHOD_ADDED_TO_INTERFACE");
    }

    @Test
    void membersOfAHiddenSupertypeBelongToThePublicType() throws IOException {
        String type = "public class A extends Hidden { } class Hidden { %s }";

        assertThat(breaks(type.formatted("public void m() {}"), type.formatted("")))
                .containsExactly("a.A METHOD_REMOVED_IN_SUPERCLASS");
        assertThat(breaks("class Hidden { public void m() {} }", "class Hidden { }"))
                .isEmpty();
    }

    @Test
    void anArchiveIsTheSameForTheSameApi() throws IOException {
        byte[] one = archive("public class A { public void m() {} public int n() { return 1; } private int o; }");
        byte[] other =
                archive("public class A { public int n() { return 2; } public void m() { Runnable r = () -> {}; } }");

        assertThat(one).isEqualTo(other);
        assertThat(ApiBreaks.changedTypes(one, other)).isEmpty();
        assertThat(ApiBreaks.changedTypes(one, archive("public class A { public void m() {} }")))
                .containsExactly("a.A");
    }

    private List<String> breaks(String before, String after) throws IOException {
        return ApiBreaks.between(archive(before), archive(after));
    }

    private byte[] archive(String source) throws IOException {
        Matcher type = TYPE.matcher(source);
        assertThat(type.find()).as(source).isTrue();
        Path module = Files.createTempDirectory(directory, "module");
        Path file = module.resolve("src/main/java/a").resolve(type.group(1) + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "package a; " + source);
        String classes =
                Files.createDirectories(module.resolve("target/classes")).toString();
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-Xlint:none", "--release", "17", "-d", classes, file.toString());
        assertThat(result).as(source).isZero();
        return ApiArchive.of(List.of(new SourceModule("module", module)));
    }
}
