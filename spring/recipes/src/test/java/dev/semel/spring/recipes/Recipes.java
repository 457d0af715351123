package dev.semel.spring.recipes;

import dev.semel.testservers.TestPostgres;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts applications on PostgreSQL. */
final class Recipes {

    private Recipes() {}

    /** A node of an application. */
    static ConfigurableApplicationContext start(Class<?> application, String database, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(Stream.concat(
                                Stream.of(
                                        "spring.datasource.url=" + TestPostgres.url(database),
                                        "spring.datasource.username=postgres",
                                        "spring.modulith.events.jdbc.schema-initialization.enabled=true"),
                                Stream.of(properties))
                        .toArray(String[]::new))
                .run();
    }
}
