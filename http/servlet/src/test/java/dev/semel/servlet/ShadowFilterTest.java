package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.shadow.ShadowFinding;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.http.shadow.ShadowReport;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In shadow mode, a client cannot tell the service from one without the filter, and the report tells what happened. */
class ShadowFilterTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String BODY = "{\"cents\":1999}";

    private final List<AutoCloseable> open = new ArrayList<>();
    private final FaultyStore store = FaultyStore.around(InMemoryKeyStore.create());

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** A request that both servers get. */
    private record Sent(String path, String key, String type, String body, String token) {

        private static Sent of(String path, String key) {
            return of(path, key, "alice");
        }

        private static Sent of(String path, String key, String token) {
            return new Sent(path, key, "application/json", BODY, token);
        }

        private HttpResponse<String> to(int port, boolean chunked) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .header("Content-Type", type)
                    .POST(
                            chunked
                                    ? BodyPublishers.fromPublisher(BodyPublishers.ofString(body))
                                    : BodyPublishers.ofString(body));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            if (!key.isEmpty()) {
                request.header("Idempotency-Key", key);
            }
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static List<Sent> everything() {
        List<Sent> requests = new ArrayList<>();
        for (String path : List.of(
                "/stream",
                "/bytes",
                "/reader",
                "/unread",
                "/declined",
                "/throws",
                "/pieces",
                "/async",
                "/unknown",
                "/nowhere")) {
            requests.addAll(List.of(
                    Sent.of(path, "k1"),
                    Sent.of(path, "k1"),
                    Sent.of(path, "k2"),
                    Sent.of(path, ""),
                    Sent.of(path, "\"not closed"),
                    Sent.of(path, "x".repeat(500)),
                    new Sent(path, "k1", "application/json", "{\"cents\":1}", "alice"),
                    new Sent(path, "k1", "application/json", BODY, ""),
                    new Sent(path, "k3", "application/json", "not json", "bob"),
                    new Sent(path, "k4", "text/plain", "ä".repeat(100_000), "bob")));
        }
        requests.add(new Sent("/stream", "k5", "text/plain", "z".repeat(3 << 20), "bob"));
        requests.add(Sent.of("/late", "l1"));
        requests.add(new Sent("/form", "f1", "application/x-www-form-urlencoded", "amount=5&x=%20", "bob"));
        requests.add(new Sent("/form", "f1", "application/x-www-form-urlencoded", "amount=5&x=%20", "bob"));
        requests.add(new Sent("/form", "f1", "application/x-www-form-urlencoded", "amount=6", "bob"));
        return requests;
    }

    @Test
    void noResponseDiffersFromThatWithoutTheFilter() throws Exception {
        assertNoResponseDiffers();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void noResponseDiffersWhateverTheStoreDoesWithClaims(Fault fault) throws Exception {
        store.every(StoreCall.CLAIM, fault);

        assertNoResponseDiffers();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void noResponseDiffersWhateverTheStoreDoesWithSettles(Fault fault) throws Exception {
        store.every(StoreCall.SETTLE, fault);

        assertNoResponseDiffers();
    }

    private void assertNoResponseDiffers() throws Exception {
        int plain = serve(null);
        int shadowed = serve(filter());
        for (Sent sent : everything()) {
            for (boolean chunked : new boolean[] {false, true}) {
                HttpResponse<String> expected = sent.to(plain, chunked);
                HttpResponse<String> actual = sent.to(shadowed, chunked);

                assertThat(actual.statusCode()).as("%s", sent.path()).isEqualTo(expected.statusCode());
                assertThat(headers(actual)).as("%s", sent.path()).isEqualTo(headers(expected));
                assertThat(actual.body()).as("%s", sent.path()).isEqualTo(expected.body());
            }
        }
    }

    private static Map<String, List<String>> headers(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        return headers;
    }

    @Test
    void theReportSaysWhoExecutedTwiceAndHow() throws Exception {
        int port = serve(filter());
        Sent.of("/stream", "same").to(port, false);
        Sent.of("/stream", "same").to(port, true);
        new Sent("/stream", "n1", "application/json", BODY, "bob").to(port, false);
        new Sent("/stream", "n2", "application/json", "{ \"cents\" : 1999 }", "bob").to(port, false);
        new Sent("/bytes", "", "application/json", BODY, "carol").to(port, false);
        new Sent("/bytes", "", "application/json", BODY, "carol").to(port, false);
        new Sent("/async", "a", "application/json", BODY, "dave").to(port, false);
        new Sent("/async", "a", "application/json", "{\"cents\":1}", "dave").to(port, false);
        new Sent("/declined", "d", "application/json", BODY, "erin").to(port, false);
        new Sent("/declined", "d", "application/json", BODY, "erin").to(port, false);
        new Sent("/form", "f", "application/x-www-form-urlencoded", "amount=5", "frank").to(port, false);
        new Sent("/form", "f", "application/x-www-form-urlencoded", "amount=5", "frank").to(port, false);
        new Sent("/form", "f", "application/x-www-form-urlencoded", "amount=6", "frank").to(port, false);
        new Sent("/stream", "\"not closed", "application/json", "{}", "gina").to(port, false);

        Sent.of("/unknown", "u", "hank").to(port, false);
        Sent.of("/unknown", "u", "hank").to(port, false);
        Sent.of("/late", "l", "ines").to(port, false);

        ShadowReport report = reportOf(17);

        assertThat(found(report, "alice")).isEqualTo(Map.of(ShadowFinding.EXECUTED_TWICE, 1L));
        assertThat(found(report, "bob")).isEqualTo(Map.of(ShadowFinding.EXECUTED_UNDER_NEW_KEY, 1L));
        assertThat(found(report, "carol"))
                .isEqualTo(Map.of(ShadowFinding.KEY_MISSING, 2L, ShadowFinding.EXECUTED_WITHOUT_KEY, 1L));
        assertThat(found(report, "dave")).isEqualTo(Map.of(ShadowFinding.KEY_REUSED, 1L));
        assertThat(found(report, "erin")).isEqualTo(Map.of(ShadowFinding.RETRIED_WITH_ERROR, 1L));
        assertThat(found(report, "frank"))
                .isEqualTo(Map.of(ShadowFinding.EXECUTED_TWICE, 1L, ShadowFinding.KEY_REUSED, 1L));
        assertThat(found(report, "gina")).isEqualTo(Map.of(ShadowFinding.KEY_INVALID, 1L));
        assertThat(found(report, "hank"))
                .isEqualTo(Map.of(ShadowFinding.OUTCOME_UNKNOWN, 1L, ShadowFinding.RETRIED_WITH_ERROR, 1L));
        assertThat(found(report, "ines")).isEqualTo(Map.of(ShadowFinding.OUTCOME_UNKNOWN, 1L));
        assertThat(report.executedTwice()).isEqualTo(4);
        assertThat(report.text()).contains("In 7 days you executed 4 operations twice, out of 17 requests");
        assertThat(report.operations()).singleElement().satisfies(operation -> {
            assertThat(operation.withoutKey()).isEqualTo(3);
            assertThat(operation.isReadyToRequireKeys()).isFalse();
        });
    }

    @Test
    void whatTheStoreDidNotTakeIsCountedAsDropped() throws Exception {
        store.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        int port = serve(filter());
        Sent.of("/stream", "k").to(port, false);
        await().until(() -> recorder.dropped() == 1);

        store.heal();
        recorder.close();

        assertThat(reportOf(0).dropped()).isEqualTo(1);
        assertThat(reportOf(0).operations()).noneMatch(ShadowReport.Operation::isReadyToRequireKeys);
    }

    private static Map<ShadowFinding, Long> found(ShadowReport report, String caller) {
        return report.callers().stream()
                .filter(each -> each.caller().equals(caller))
                .findFirst()
                .orElseThrow()
                .counts();
    }

    private ShadowReport reportOf(long requests) {
        return await().until(
                        () -> {
                            recorder.write().toCompletableFuture().join();
                            return ShadowReport.read(store.store(), null, Duration.ofDays(7))
                                    .toCompletableFuture()
                                    .join();
                        },
                        report -> report.requests() == requests);
    }

    private ShadowRecorder recorder;

    private Filter filter() {
        KeyStore keys = store.store();
        Semel semel = Semel.builder(keys).build();
        open.add(semel);
        recorder = ShadowRecorder.builder(keys).build();
        open.add(recorder);
        HttpGate gate = HttpGate.builder(semel).shadow(recorder).build();
        return SemelFilter.builder(
                        gate,
                        HttpRules.builder(Policy.external("charge").build())
                                .maxRequestBody(1 << 20)
                                .shadow(true)
                                .build())
                .build();
    }

    private int serve(Filter filter) throws Exception {
        Tomcat tomcat = new Tomcat();
        Path base = Files.createTempDirectory(directory, "tomcat");
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(0);
        // Its page shows a stack trace, which the filter is a part of.
        ((StandardHost) tomcat.getHost()).setErrorReportValveClass("");
        Context context = tomcat.addContext("", base.toString());
        Stream.of(new BearerFilter(), filter).filter(each -> each != null).forEach(each -> {
            FilterDef definition = new FilterDef();
            definition.setFilterName(each.getClass().getSimpleName());
            definition.setFilter(each);
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            FilterMap map = new FilterMap();
            map.setFilterName(definition.getFilterName());
            map.addURLPattern("/*");
            TestServer.DISPATCHES.forEach(dispatch -> map.setDispatcher(dispatch.name()));
            context.addFilterMap(map);
        });
        Tomcat.addServlet(context, "shadow", new ShadowServlet()).setAsyncSupported(true);
        context.addServletMappingDecoded("/", "shadow");
        tomcat.start();
        open.add(() -> {
            tomcat.stop();
            tomcat.destroy();
        });
        return tomcat.getConnector().getLocalPort();
    }
}
