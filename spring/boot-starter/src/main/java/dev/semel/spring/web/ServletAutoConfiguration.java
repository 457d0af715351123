package dev.semel.spring.web;

import dev.semel.http.HttpGate;
import dev.semel.http.ScopeExtractor;
import dev.semel.servlet.ErrorRendering;
import dev.semel.servlet.SemelFilter;
import dev.semel.spring.autoconfigure.SemelAutoConfiguration;
import dev.semel.spring.operation.SemelProperties;
import dev.semel.spring.transaction.MethodTransactions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The filter for controllers of Spring MVC. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
class ServletAutoConfiguration {

    /** Behind Spring Security, whose filter has the order -100. */
    static final int FILTER_ORDER = -50;

    private static final String EXTRACTOR = "ScopeExtractor<HttpServletRequest>";

    /** The bean by which Spring Security authenticates requests. */
    private static final String SECURITY_FILTER = "springSecurityFilterChain";

    @Bean
    FilterRegistrationBean<SemelFilter> semelFilter(
            HttpGate gate,
            MvcRules rules,
            SemelProperties properties,
            ObjectProvider<ScopeExtractor<HttpServletRequest>> extractors) {
        ScopeExtractor<HttpServletRequest> scope =
                scopes(properties, extractors).find();
        SemelFilter filter = SemelFilter.builder(gate, rules)
                .scope(scope == null ? request -> null : scope)
                .errors(ErrorRendering.CONTAINER)
                .failureAttribute(FailureNote.ATTRIBUTE)
                .reportsEntry(MvcRules::reportsEntry)
                .build();
        FilterRegistrationBean<SemelFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(FILTER_ORDER);
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
        return registration;
    }

    @Bean
    MvcRules semelMvcRules(
            BeanFactory beans,
            Environment environment,
            SemelProperties properties,
            ObjectProvider<ScopeExtractor<HttpServletRequest>> extractors) {
        return new MvcRules(
                () -> beans.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class),
                () -> HttpRulesFactory.of(
                        beans,
                        ControllerTransactions.onOneThread(beans.getBeanProvider(MethodTransactions.class)
                                .getIfAvailable(MethodTransactions::none))),
                () -> beans.getBean(ServletContext.class).getContextPath()
                        + PathKeys.prefix(environment.getProperty("spring.mvc.servlet.path", "")),
                () -> scopes(properties, extractors).require(beans.containsBean(SECURITY_FILTER)));
    }

    private static Scopes<ScopeExtractor<HttpServletRequest>> scopes(
            SemelProperties properties, ObjectProvider<ScopeExtractor<HttpServletRequest>> extractors) {
        return new Scopes<>(
                EXTRACTOR,
                extractors,
                properties.scope(),
                ScopeExtractor::fixed,
                request -> PrincipalScope.of(request.getUserPrincipal()));
    }

    @Bean
    FailureNote semelFailureNote() {
        return new FailureNote();
    }

    @Bean
    NoValueResolver semelNoValueResolver(BeanFactory beans) {
        return new NoValueResolver(Dialects.of(beans).standard());
    }

    @Bean
    WatchingHandlerAdapter semelHandlerAdapter(ApplicationContext context, MvcRules rules) {
        return new WatchingHandlerAdapter(context, rules::guards);
    }

    @Bean
    WebMvcConfigurer semelMvc(WatchingHandlerAdapter watching) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(watching).order(Ordered.LOWEST_PRECEDENCE);
            }

            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new AttemptResolver());
            }
        };
    }
}
