package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.TestGateway;
import dev.semel.http.dialect.Dialect;
import dev.semel.testkit.check.ChargeService;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code semel check --dialect} on gateways that speak a dialect, and on one that does not. */
class DialectCheckTest {

    private static ChargeService service;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        service = ChargeService.start();
        threads = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        service.close();
    }

    /** Those that need no signatures. */
    private static List<String> dialects() {
        return Dialect.names().stream()
                .filter(name -> Dialect.named(name).signatures() == null)
                .toList();
    }

    private record Checked(int exitCode, String said) {}

    private static Checked check(String dialect, TestGateway gateway) {
        StringWriter out = new StringWriter();
        int exitCode = SemelCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(
                        "check",
                        gateway.uri("/charges").toString(),
                        "--dialect",
                        dialect,
                        "--slow-header",
                        "X-Slow: yes",
                        "--only",
                        "P9.1,P9.3,P20");
        return new Checked(exitCode, out.toString());
    }

    private static TestGateway gateway(String dialect) {
        List<String> options = new ArrayList<>(List.of("dialect", dialect));
        if (Dialect.named(dialect).resumes(500)) {
            options.addAll(List.of("recovery", "re-execute"));
        }
        return TestGateway.start(service.uri().toString(), options.toArray(String[]::new));
    }

    /** They mostly wait, so they wait together. */
    private static Map<String, Checked> checkAll(boolean rightly) {
        Map<String, CompletableFuture<Checked>> running = new TreeMap<>();
        for (String dialect : dialects()) {
            running.put(
                    dialect,
                    CompletableFuture.supplyAsync(
                            () -> {
                                try (TestGateway gateway = gateway(rightly ? dialect : other(dialect))) {
                                    return check(dialect, gateway);
                                }
                            },
                            threads));
        }
        Map<String, Checked> checked = new TreeMap<>();
        running.forEach((dialect, result) -> checked.put(dialect, result.join()));
        return checked;
    }

    private static String other(String dialect) {
        return dialect.startsWith("stripe") ? "draft" : "stripe";
    }

    @Test
    void findsNothingWrongWithTheGatewayInEveryDialect() {
        checkAll(true)
                .forEach((dialect, checked) -> assertThat(checked.exitCode())
                        .as(dialect + ": " + checked.said())
                        .isZero());
    }

    @Test
    void findsAGatewayThatSpeaksAnotherDialect() {
        checkAll(false)
                .forEach((dialect, checked) -> assertThat(checked.exitCode())
                        .as(dialect + ": " + checked.said())
                        .isEqualTo(1));
    }
}
