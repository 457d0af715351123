package dev.semel.examples.payments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Starts the service. */
@SpringBootApplication
public class PaymentsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(PaymentsApplication.class, arguments);
    }

    /**
     * A key belongs to the caller who is authenticated here: alice never sees what bob did under the same key. The
     * operator sees the keys of both, and resolves those with an unknown outcome.
     */
    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.csrf(csrf -> csrf.disable())
                .authorizeHttpRequests(
                        requests -> requests.requestMatchers("/actuator/semel/**", "/actuator/semelshadow")
                                .hasRole("OPERATOR")
                                .anyRequest()
                                .authenticated())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService callers() {
        return new InMemoryUserDetailsManager(
                User.withUsername("alice").password("{noop}secret").build(),
                User.withUsername("bob").password("{noop}secret").build(),
                User.withUsername("operator")
                        .password("{noop}secret")
                        .roles("OPERATOR")
                        .build());
    }
}
