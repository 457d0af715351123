package dev.semel.spring;

import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestPostgres;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.web.filter.OncePerRequestFilter;

/** A service on Tomcat and PostgreSQL, with Spring Security in front of it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableMethodSecurity
@Import({
    Accounts.class,
    Inherited.Charge.class,
    Inherited.Refund.class,
    Inherited.Charges.class,
    Inherited.Refunds.class
})
class MvcApplication {

    private static ConfigurableApplicationContext context;

    /** One for all tests of this module. */
    static synchronized ConfigurableApplicationContext running() {
        if (context == null) {
            context = start();
        }
        return context;
    }

    static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(MvcApplication.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=" + TestPostgres.url("postgres"),
                        "spring.datasource.username=postgres",
                        "semel.jdbc.table=mvc_key",
                        "semel.retention=7d",
                        "semel.settle-patience=500ms",
                        "semel.http.status-path=/operations",
                        "semel.http.body-hash-secret=a secret of the tests",
                        "management.endpoints.web.exposure.include=semel,health",
                        "management.endpoint.health.show-details=always")
                .properties(properties)
                .run();
    }

    static TestClient client() {
        return client(running());
    }

    static TestClient client(ConfigurableApplicationContext context) {
        return new TestClient(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @Bean(destroyMethod = "close")
    KeyStore keyStore(DataSource dataSource) {
        return FlakyStore.around(JdbcKeyStore.builder(dataSource)
                .table("mvc_key")
                .createIfMissing()
                .build());
    }

    @Bean
    Orders orders(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create table if not exists orders (number text not null, amount int not null, run int not null)");
        return new Orders(jdbc);
    }

    @Bean
    MvcController controller(Orders orders) {
        return new MvcController(orders);
    }

    @Bean
    OrdersController ordersController(Orders orders) {
        return new OrdersController(orders);
    }

    @Bean
    MvcController.Denied denied() {
        return new MvcController.Denied();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.csrf(csrf -> csrf.disable())
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .addFilterBefore(new BearerFilter(), UsernamePasswordAuthenticationFilter.class)
                .build();
    }

    /** Knows a caller by the part of its token before the dot. */
    private static final class BearerFilter extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, jakarta.servlet.ServletException {
            String header = request.getHeader("Authorization");
            if (header != null && header.startsWith("Bearer ") && header.contains(".")) {
                String name = header.substring("Bearer ".length(), header.indexOf('.'));
                SecurityContextHolder.getContext()
                        .setAuthentication(new TestingAuthenticationToken(name, header, List.of()));
            }
            chain.doFilter(request, response);
        }
    }
}
