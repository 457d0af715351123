package dev.semel.quarkus.it;

import dev.semel.http.Fields;
import dev.semel.http.HttpRules;
import dev.semel.http.RuleFinder;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The sample application's beans, and its rules, which go by the path. */
public class SampleBeans {

    static final int MAX_BODY = 200_000;

    @Produces
    @Singleton
    SampleService service() {
        return new SampleService();
    }

    @Produces
    @Singleton
    SwitchableStore store() {
        return new SwitchableStore(InMemoryKeyStore.create());
    }

    @Produces
    @Singleton
    RuleFinder<ContainerRequestContext> rules() {
        Map<Endpoint, HttpRules> rules = new EnumMap<>(Endpoint.class);
        for (Endpoint endpoint : Endpoint.values()) {
            rules.put(endpoint, rules(endpoint));
        }
        HttpRules own = HttpRules.builder(
                        Policy.external("own").lease(Duration.ofSeconds(5)).build())
                .maxRequestBody(MAX_BODY)
                .build();
        return request -> {
            String path = request.getUriInfo().getRequestUri().getPath();
            return path.startsWith("/own")
                    ? own
                    : Endpoint.of(sample(path)).map(rules::get).orElse(null);
        };
    }

    /** The path in the sample application, which is served twice. */
    static String sample(String path) {
        return path.startsWith("/uni/") ? path.substring("/uni".length()) : path;
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
}
