package dev.semel.spring.test;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** What docs/testing-your-service.md shows. It is compiled, and run by nobody here: it needs Docker. */
final class OnTestcontainers {

    private OnTestcontainers() {}

    // quoted: testcontainers
    @TestConfiguration(proxyBeanMethods = false)
    static class Database {

        @Bean
        @ServiceConnection
        PostgreSQLContainer postgres() {
            return new PostgreSQLContainer("postgres:18");
        }
    }
    // end

    static CrashPoints.Builder crashes(Class<?> application) {
        // quoted: testcontainers-crash
        PostgreSQLContainer postgres = new PostgreSQLContainer("postgres:18");
        postgres.start();

        return CrashPoints.of(application)
                .properties(
                        "spring.datasource.url=" + postgres.getJdbcUrl(),
                        "spring.datasource.username=" + postgres.getUsername(),
                        "spring.datasource.password=" + postgres.getPassword());
        // end
    }
}
