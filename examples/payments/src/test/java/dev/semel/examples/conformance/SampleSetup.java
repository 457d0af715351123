package dev.semel.examples.conformance;

import dev.semel.http.HttpRules;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import dev.semel.spring.OperationCustomizer;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/** What the protocol's tests need besides the payments service: their endpoints, tokens, and a store that can fail. */
@Configuration(proxyBeanMethods = false)
@Import(SampleController.class)
class SampleSetup {

    /** Holds the store, which is made before the tests can ask for it. */
    static final class Stores implements BeanPostProcessor {

        private SwitchableStore switchable;

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof JdbcKeyStore store) {
                switchable = new SwitchableStore(store);
                return switchable;
            }
            return bean;
        }

        SwitchableStore switchable() {
            return switchable;
        }
    }

    @Bean
    static Stores stores() {
        return new Stores();
    }

    @Bean
    SampleService sampleService() {
        return new SampleService();
    }

    @Bean
    OperationCustomizer endpoints() {
        return new OperationCustomizer() {
            @Override
            public void customize(String operation, Policy.Builder<?, ?> policy) {
                Endpoint.of("/" + operation)
                        .map(Endpoint::policy)
                        .ifPresent(
                                wanted -> policy.retention(wanted.retention()).maxPayload(wanted.maxPayload()));
            }

            @Override
            public void customize(String operation, HttpRules.Builder rules) {
                Endpoint.of("/" + operation)
                        .ifPresent(wanted -> rules.strictHeader(wanted.strictHeader())
                                .publishExpiry(wanted.publishExpiry())
                                .maxPreferredWait(wanted.maxPreferredWait()));
            }
        };
    }

    /** Stands for a proxy that turns tokens into what the service knows its callers by: alice and bob, no others. */
    @Bean
    FilterRegistrationBean<?> tokens() {
        FilterRegistrationBean<?> registration = new FilterRegistrationBean<>((request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            String token = http.getHeader("Authorization");
            chain.doFilter(token == null ? request : new Authorized(http, token.contains("alice")), response);
        });
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    private static final class Authorized extends HttpServletRequestWrapper {

        private final String credentials;

        Authorized(HttpServletRequest request, boolean alice) {
            super(request);
            byte[] caller = ((alice ? "alice" : "bob") + ":secret").getBytes(StandardCharsets.UTF_8);
            credentials = "Basic " + Base64.getEncoder().encodeToString(caller);
        }

        @Override
        public String getHeader(String name) {
            return name.equalsIgnoreCase("Authorization") ? credentials : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase("Authorization")
                    ? Collections.enumeration(List.of(credentials))
                    : super.getHeaders(name);
        }
    }
}
