package dev.semel.examples.payments;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts an embedded PostgreSQL, so that the example starts with one command. A real service has no such class. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "spring.datasource.url", havingValue = "embedded")
class EmbeddedDatabase {

    @Bean(destroyMethod = "close")
    EmbeddedPostgres postgres() throws IOException {
        return EmbeddedPostgres.builder()
                // Both are off by default in the embedded server, which could then lose acknowledged writes.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    @Bean
    DataSource dataSource(EmbeddedPostgres postgres) {
        return DataSourceBuilder.create()
                .url(postgres.getJdbcUrl("postgres", "postgres"))
                .build();
    }
}
