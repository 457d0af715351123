package dev.semel.rest;

import dev.semel.Semel;
import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.policy.Policy;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The sample application and one of our own, on some implementation of Jakarta REST, on Jetty. */
final class RestServer implements AutoCloseable {

    /** Fewer than the duplicates that wait at once in a test. */
    private static final int THREADS = 16;

    final SampleService service = new SampleService();
    final OwnResource own = new OwnResource();
    final SwitchableStore store;
    private final Semel semel;
    private final Server server = new Server(new QueuedThreadPool(THREADS, THREADS));
    private final ServerConnector connector = new ServerConnector(server, 1, 1);

    RestServer(SwitchableStore store, Function<Application, Servlet> implementation) throws Exception {
        this.store = store;
        this.semel = Semel.builder(store)
                .patience(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .build();
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        ServletHolder servlet = new ServletHolder(implementation.apply(application()));
        servlet.setAsyncSupported(true);
        servlet.setInitParameter("jakarta.ws.rs.Application", RestEasyApplication.class.getName());
        context.addServlet(servlet, "/*");
        server.setHandler(context);
        server.start();
    }

    private Application application() {
        HttpGate gate = HttpGate.builder(semel).statusPath(Endpoint.STATUS_PATH).build();
        Map<Endpoint, HttpRules> rules = new EnumMap<>(Endpoint.class);
        for (Endpoint endpoint : Endpoint.values()) {
            rules.put(endpoint, rules(endpoint));
        }
        HttpRules ownRules = HttpRules.builder(
                        Policy.external("own").lease(Duration.ofSeconds(2)).build())
                .maxRequestBody(OwnResource.MAX_BODY)
                .build();
        SemelFeature feature = SemelFeature.builder(
                        gate,
                        request -> request.getUriInfo()
                                        .getPath()
                                        .replaceFirst("^/", "")
                                        .startsWith("own")
                                ? ownRules
                                : Endpoint.of(request.getUriInfo()
                                                .getRequestUri()
                                                .getPath())
                                        .map(rules::get)
                                        .orElse(null))
                .build();
        Set<Object> parts = Set.of(
                feature,
                new SampleResource(service),
                own,
                new BearerFilter(),
                new LimitFilter(),
                new BrokenFilter(),
                new GzipInterceptor(),
                new BusyMapper(),
                new StateMapper());
        return new Application() {
            @Override
            @SuppressWarnings("deprecation")
            public Set<Object> getSingletons() {
                return parts;
            }
        };
    }

    private static HttpRules rules(Endpoint endpoint) {
        return HttpRules.builder(endpoint.policy())
                .keyRequired(endpoint.keyRequired())
                .strictHeader(endpoint.strictHeader())
                .publishExpiry(endpoint.publishExpiry())
                .maxPreferredWait(endpoint.maxPreferredWait())
                .fields(Fields.allBut(endpoint.ignoredFields().toArray(String[]::new)))
                .documentation(Endpoint.DOCUMENTATION)
                .build();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/");
    }

    @Override
    public void close() throws Exception {
        server.stop();
        semel.close();
        store.close();
    }
}
