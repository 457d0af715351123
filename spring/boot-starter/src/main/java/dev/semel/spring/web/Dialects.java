package dev.semel.spring.web;

import dev.semel.http.dialect.Dialect;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** The dialects that an application can name: its own beans, and those that come with Semel. */
record Dialects(String configured, @Nullable URI problemPages, Map<String, Dialect> own) {

    static Dialects of(BeanFactory beans) {
        Map<String, Dialect> own = new LinkedHashMap<>();
        beans.getBeanProvider(Dialect.class).orderedStream().forEach(dialect -> own.put(dialect.name(), dialect));
        SemelProperties properties = beans.getBean(SemelProperties.class);
        return new Dialects(properties.dialect(), properties.http().problemPages(), own);
    }

    /** The dialect of requests that no operation speaks for. */
    Dialect standard() {
        return of("", "semel.dialect");
    }

    /** The dialect of this name; that of {@code semel.dialect} if it is empty. */
    Dialect of(String name, String place) {
        String asked = name.isEmpty() ? configured : name;
        try {
            Dialect found = own.get(asked);
            return linked(found == null ? Dialect.named(asked) : found);
        } catch (IllegalArgumentException e) {
            throw new SemelConfigurationException(
                    place + " names an unknown dialect: " + e.getMessage(),
                    "Name one of " + Dialect.names() + ", or define a bean of type Dialect with the name '" + asked
                            + "'.",
                    e);
        }
    }

    private Dialect linked(Dialect dialect) {
        return problemPages == null
                ? dialect
                : Dialect.builder(dialect.name(), dialect)
                        .problemPages(problemPages)
                        .build();
    }
}
