package dev.semel.bench.http;

import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.ScopeExtractor;
import dev.semel.http.behaviour.ClientBehaviour;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.micrometer.HttpMetrics;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.policy.Policy;
import dev.semel.servlet.SemelFilter;
import dev.semel.testservers.TempDirectory;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** One Tomcat that serves one servlet twice: as it is, and behind the filter. */
final class HttpServer implements AutoCloseable {

    static final String PLAIN = "/plain";
    static final String GUARDED = "/guarded";

    /** Held here, because an unreferenced logger forgets its level. */
    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    private static final HttpRules RULES = HttpRules.of(Policy.external("bench").build());

    private final Tomcat tomcat = new Tomcat();
    private final AtomicLong runs = new AtomicLong();
    private final Path directory;
    private volatile Guard guard = Guard.make(false);

    /** The filter with an engine and a store of its own. */
    private record Guard(Semel semel, SemelFilter filter) {

        static Guard make(boolean measured) {
            InMemoryKeyStore store = InMemoryKeyStore.create();
            Semel.Builder engine = Semel.builder(store);
            if (!measured) {
                Semel semel = engine.build();
                return of(semel, HttpGate.builder(semel).build());
            }
            SemelMetrics metrics = SemelMetrics.in(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), "memory")
                    .operation("bench");
            HttpMetrics http = new HttpMetrics(metrics);
            Semel semel = engine.listener(metrics).build();
            metrics.watch(semel, store);
            return of(
                    semel,
                    HttpGate.builder(semel)
                            .listener(http.and(new ClientBehaviour(http::count)))
                            .build());
        }

        private static Guard of(Semel semel, HttpGate gate) {
            return new Guard(
                    semel,
                    SemelFilter.builder(gate, RULES)
                            .scope(ScopeExtractor.fixed("bench"))
                            .build());
        }
    }

    private HttpServer(Path directory) {
        this.directory = directory;
    }

    static HttpServer start() throws IOException, LifecycleException {
        HttpServer server = new HttpServer(Files.createTempDirectory("semel-bench"));
        server.startTomcat();
        return server;
    }

    private void startTomcat() throws LifecycleException {
        TOMCAT.setLevel(Level.SEVERE);
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        // The default closes a connection after a hundred requests, which is not what is measured here.
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", directory.toString());
        Filter filter = (request, response, chain) -> guard.filter().doFilter(request, response, chain);
        FilterDef definition = new FilterDef();
        definition.setFilterName("semel");
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("semel");
        map.addURLPattern(GUARDED);
        map.setDispatcher(DispatcherType.REQUEST.name());
        map.setDispatcher(DispatcherType.ASYNC.name());
        map.setDispatcher(DispatcherType.ERROR.name());
        context.addFilterMap(map);
        Tomcat.addServlet(context, "charge", new ChargeServlet(runs)).setAsyncSupported(true);
        context.addServletMappingDecoded(PLAIN, "charge");
        context.addServletMappingDecoded(GUARDED, "charge");
        tomcat.start();
    }

    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    /** How often the servlet has run. */
    long runs() {
        return runs.get();
    }

    /**
     * Starts with an empty store and without garbage, so that no measurement pays for the keys of another; with or without
     * metrics.
     */
    void forgetKeys(boolean measured) {
        Guard old = guard;
        guard = Guard.make(measured);
        old.semel().close();
        System.gc();
    }

    @Override
    public void close() throws LifecycleException, IOException {
        tomcat.stop();
        tomcat.destroy();
        guard.semel().close();
        TempDirectory.delete(directory);
    }

    /** Reads a small request and answers it. */
    private static final class ChargeServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final AtomicLong runs;

        ChargeServlet(AtomicLong runs) {
            this.runs = runs;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int size = request.getInputStream().readAllBytes().length;
            byte[] body = ("{\"charge\":" + runs.incrementAndGet() + ",\"size\":" + size
                            + ",\"status\":\"succeeded\",\"currency\":\"EUR\"}")
                    .getBytes(StandardCharsets.UTF_8);
            response.setStatus(HttpServletResponse.SC_CREATED);
            response.setContentType("application/json");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }
}
