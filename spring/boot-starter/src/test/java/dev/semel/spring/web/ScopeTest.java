package dev.semel.spring.web;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.http.ScopeExtractor;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.webflux.ReactiveScopeExtractor;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Who a caller is, and that somebody has to say. */
class ScopeTest {

    @RestController
    static class Guarded {

        @Idempotent
        @PostMapping("/")
        String run() {
            return "";
        }
    }

    private final WebApplicationContextRunner mvc = new WebApplicationContextRunner()
            .withPropertyValues("semel.store=memory")
            .withBean(Guarded.class)
            .withConfiguration(SemelConfigurations.with(
                    ServletAutoConfiguration.class,
                    org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration.class));

    private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
            .withPropertyValues("semel.store=memory")
            .withBean(Guarded.class)
            .withConfiguration(SemelConfigurations.with(
                    WebFluxAutoConfiguration.class,
                    org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    static class WithExtractors {

        @Bean
        ScopeExtractor<HttpServletRequest> extractor() {
            return request -> "tenant";
        }

        @Bean
        ReactiveScopeExtractor reactiveExtractor() {
            return ReactiveScopeExtractor.fixed("tenant");
        }
    }

    @Test
    void startsWithAScopeOrAnExtractor() {
        mvc.withPropertyValues("semel.scope=the-only-one")
                .run(context -> assertThat(context).hasNotFailed());
        mvc.withUserConfiguration(WithExtractors.class)
                .run(context -> assertThat(context).hasNotFailed());
        webFlux.withPropertyValues("semel.scope=the-only-one")
                .run(context -> assertThat(context).hasNotFailed());
        webFlux.withUserConfiguration(WithExtractors.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @EnableWebSecurity
    @Configuration(proxyBeanMethods = false)
    static class Secured {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.build();
        }
    }

    @EnableWebFluxSecurity
    @Configuration(proxyBeanMethods = false)
    static class ReactiveSecured {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.build();
        }
    }

    @Test
    void aSingleCallerBesideSpringSecurityIsRefusedAtTheStart() {
        mvc.withUserConfiguration(Secured.class)
                .withPropertyValues("semel.scope=the-only-one")
                .run(context -> assertRefused(context.getStartupFailure()));
        webFlux.withUserConfiguration(ReactiveSecured.class)
                .withPropertyValues("semel.scope=the-only-one")
                .run(context -> assertRefused(context.getStartupFailure()));
    }

    private static void assertRefused(Throwable failure) {
        assertThat(failure).isInstanceOfSatisfying(SemelConfigurationException.class, problem -> {
            assertThat(problem).hasMessageContaining("the-only-one");
            assertThat(problem.remedy()).contains("Remove semel.scope");
        });
    }

    @Test
    void thePrincipalOrAnExtractorMayStandBesideSpringSecurity() {
        mvc.withUserConfiguration(Secured.class)
                .run(context -> assertThat(context).hasNotFailed());
        mvc.withUserConfiguration(Secured.class, WithExtractors.class)
                .withPropertyValues("semel.scope=the-only-one")
                .run(context -> assertThat(context).hasNotFailed());
        webFlux.withUserConfiguration(ReactiveSecured.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anApplicationThatDoesNotSayGetsAnExplanation() {
        SemelConfigurationException problem = assertThrows(
                SemelConfigurationException.class, () -> Scopes.require(null, "ScopeExtractor<HttpServletRequest>"));

        assertThat(problem.remedy()).contains("Spring Security", "ScopeExtractor<HttpServletRequest>", "semel.scope");
    }

    @Configuration(proxyBeanMethods = false)
    static class WithMoreExtractors {

        @Bean
        ScopeExtractor<HttpServletRequest> another() {
            return request -> "another";
        }

        @Bean
        ReactiveScopeExtractor anotherReactive() {
            return ReactiveScopeExtractor.fixed("another");
        }
    }

    @Test
    void ofTwoWhoSayOneMustBePrimary() {
        mvc.withUserConfiguration(WithExtractors.class, WithMoreExtractors.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription())
                                .contains("more than one", "ScopeExtractor<HttpServletRequest>")));
        webFlux.withUserConfiguration(WithExtractors.class, WithMoreExtractors.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription())
                                .contains("more than one", "ReactiveScopeExtractor")));
    }

    @Test
    void aPrincipalIsItsName() {
        assertThat(PrincipalScope.of(new TestingAuthenticationToken("alice", "token-1")))
                .isEqualTo("alice");
        assertThat(PrincipalScope.of(new TestingAuthenticationToken("alice", "token-2")))
                .isEqualTo("alice");
    }

    @Test
    void anAnonymousPrincipalIsNotACaller() {
        assertThat(PrincipalScope.of(null)).isNull();
        assertThat(PrincipalScope.of(
                        new AnonymousAuthenticationToken("k", "anonymous", AuthorityUtils.createAuthorityList("X"))))
                .isNull();
    }

    @Test
    void aPrincipalWhoseNameIsAnotherWithEveryRequestIsNotACaller() {
        assertThat(PrincipalScope.of(new TestingAuthenticationToken(new Object(), "token", List.of())))
                .isNull();
    }
}
