package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** The table of {@code docs/frameworks.md} is what the tests of the modules have reported. */
class ConformanceTableTest {

    private static final Path PAGE = SourceModule.ROOT.resolve("docs/frameworks.md");
    private static final Pattern TABLE =
            Pattern.compile("(?<=<!-- conformance -->\n).*?(?=<!-- end -->)", Pattern.DOTALL);
    private static final Pattern POINT = Pattern.compile("p([0-9]+)[A-Z].*");
    private static final int POINTS = 19;

    /**
     * A line of the table.
     *
     * @param report where Surefire has reported the test
     */
    private record Row(String framework, String store, Path report) {

        Row(String framework, String store, String module, String test) {
            this(
                    framework,
                    store,
                    SourceModule.ROOT.resolve(module).resolve("target/surefire-reports/TEST-" + test + ".xml"));
        }

        /** The points that have tests, all of which have passed. */
        Set<Integer> points() {
            Set<Integer> points = new TreeSet<>();
            Set<Integer> failed = new TreeSet<>();
            for (Element test : SourceModule.elements(report, "testcase")) {
                Matcher point = POINT.matcher(test.getAttribute("name"));
                if (point.matches()) {
                    boolean passed = test.getElementsByTagName("failure").getLength() == 0
                            && test.getElementsByTagName("error").getLength() == 0
                            && test.getElementsByTagName("skipped").getLength() == 0;
                    (passed ? points : failed).add(Integer.valueOf(point.group(1)));
                }
            }
            points.removeAll(failed);
            return points;
        }

        String line() {
            StringJoiner line =
                    new StringJoiner(" | ", "| ", " |").add(framework).add(store);
            Set<Integer> points = points();
            for (int point = 1; point <= POINTS; point++) {
                line.add(points.contains(point) ? "yes" : "");
            }
            return line.toString();
        }
    }

    private static final List<Row> ROWS = List.of(
            new Row("Servlet, Jetty", "in memory", "http/servlet", "dev.semel.servlet.JettyContainerTest"),
            new Row("Servlet, Jetty", "PostgreSQL", "http/servlet", "dev.semel.servlet.JettyPostgresTest"),
            new Row("Servlet, Jetty", "Redis", "http/servlet", "dev.semel.servlet.JettyRedisTest"),
            new Row("Servlet, Jetty", "SQLite", "http/servlet", "dev.semel.servlet.JettySqliteTest"),
            new Row("Servlet, Tomcat", "in memory", "http/servlet", "dev.semel.servlet.TomcatContainerTest"),
            new Row("Servlet, Tomcat", "PostgreSQL", "http/servlet", "dev.semel.servlet.TomcatPostgresTest"),
            new Row("WebFlux", "PostgreSQL", "http/webflux", "dev.semel.webflux.WebFluxConformanceTest"),
            new Row("Jakarta REST, Jersey", "in memory", "http/jakarta-rest", "dev.semel.rest.JerseyConformanceTest"),
            new Row(
                    "Jakarta REST, RESTEasy",
                    "in memory",
                    "http/jakarta-rest",
                    "dev.semel.rest.RestEasyConformanceTest-resteasy"),
            new Row(
                    "Quarkus REST, blocking",
                    "in memory",
                    "quarkus/integration",
                    "dev.semel.quarkus.it.BlockingConformanceTest"),
            new Row("Quarkus REST, Uni", "in memory", "quarkus/integration", "dev.semel.quarkus.it.UniConformanceTest"),
            new Row("gRPC", "in memory", "grpc", "dev.semel.grpc.GrpcConformanceTest"),
            new Row("Gateway", "in memory", "gateway", "dev.semel.gateway.GatewayConformanceTest"));

    @Test
    void thePageSaysWhatTheTestsHaveReported() throws IOException {
        assumeThat(ROWS).allMatch(row -> Files.exists(row.report()));
        String page = Files.readString(PAGE);
        if (System.getProperty("conformance.renew") != null) {
            page = TABLE.matcher(page).replaceFirst(Matcher.quoteReplacement(table()));
            Files.writeString(PAGE, page);
        }

        assertThat(TABLE.matcher(page).results())
                .as("the table of " + PAGE + "; after ./semel verify, renew it with -Dconformance.renew")
                .singleElement()
                .extracting(found -> found.group())
                .isEqualTo(table());
    }

    private static String table() {
        StringJoiner head =
                new StringJoiner(" | ", "| ", " |\n").add("framework").add("store");
        for (int point = 1; point <= POINTS; point++) {
            head.add("P" + point);
        }
        StringBuilder table = new StringBuilder(head.toString())
                .append("|---".repeat(POINTS + 2))
                .append("|\n");
        ROWS.forEach(row -> table.append(row.line()).append('\n'));
        return table.toString();
    }
}
