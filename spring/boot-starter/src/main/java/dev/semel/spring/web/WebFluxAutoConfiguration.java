package dev.semel.spring.web;

import dev.semel.http.HttpGate;
import dev.semel.spring.autoconfigure.SemelAutoConfiguration;
import dev.semel.spring.operation.SemelProperties;
import dev.semel.webflux.ReactiveScopeExtractor;
import dev.semel.webflux.SemelWebFilter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** The filter for controllers of Spring WebFlux. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
class WebFluxAutoConfiguration {

    /** Behind Spring Security, whose filter has the order -100. */
    static final int FILTER_ORDER = -50;

    private static final String EXTRACTOR = "ReactiveScopeExtractor";

    /** The bean by which Spring Security authenticates requests. */
    private static final String SECURITY_FILTER =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    @Bean
    @Order(FILTER_ORDER)
    SemelWebFilter semelWebFilter(
            HttpGate gate,
            WebFluxRules rules,
            SemelProperties properties,
            ObjectProvider<ReactiveScopeExtractor> extractors,
            ObjectProvider<WebExceptionHandler> handlers,
            ServerCodecConfigurer codecs) {
        ReactiveScopeExtractor scope = scopes(properties, extractors).find();
        return SemelWebFilter.builder(gate, rules, scope == null ? exchange -> Mono.empty() : scope)
                .exceptionHandlers(handlers.orderedStream().toList())
                .codecs(codecs)
                .answeredBefore(SecurityExceptions::isDenial)
                .reportsEntry(true)
                .build();
    }

    @Bean
    ReactiveNoValueHandler semelNoValueHandler(BeanFactory beans) {
        return new ReactiveNoValueHandler(Dialects.of(beans).standard());
    }

    @Bean
    ReactiveWatchingHandlerAdapter semelHandlerAdapter(ApplicationContext context, WebFluxRules rules) {
        return new ReactiveWatchingHandlerAdapter(context, rules::guards);
    }

    @Bean
    WebFluxRules semelWebFluxRules(
            BeanFactory beans,
            Environment environment,
            SemelProperties properties,
            ObjectProvider<ReactiveScopeExtractor> extractors) {
        return new WebFluxRules(
                () -> beans.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class),
                () -> HttpRulesFactory.of(beans, ControllerTransactions.none()),
                PathKeys.prefix(environment.getProperty("spring.webflux.base-path", "")),
                () -> scopes(properties, extractors).require(beans.containsBean(SECURITY_FILTER)));
    }

    private static Scopes<ReactiveScopeExtractor> scopes(
            SemelProperties properties, ObjectProvider<ReactiveScopeExtractor> extractors) {
        return new Scopes<>(
                EXTRACTOR,
                extractors,
                properties.scope(),
                ReactiveScopeExtractor::fixed,
                exchange -> exchange.getPrincipal().mapNotNull(PrincipalScope::of));
    }

    @Bean
    WebFluxConfigurer semelReactiveArguments() {
        return new WebFluxConfigurer() {
            @Override
            public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
                configurer.addCustomResolver(new ReactiveAttemptResolver());
            }
        };
    }
}
