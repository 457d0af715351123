package dev.semel.spring.web;

import dev.semel.http.dialect.Dialect;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;

/** The dialects that an application can name: its own beans, and those that come with Semel. */
record Dialects(String configured, Map<String, Dialect> own) {

    static Dialects of(BeanFactory beans) {
        Map<String, Dialect> own = new LinkedHashMap<>();
        beans.getBeanProvider(Dialect.class).orderedStream().forEach(dialect -> own.put(dialect.name(), dialect));
        return new Dialects(beans.getBean(SemelProperties.class).dialect(), own);
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
            return found == null ? Dialect.named(asked) : found;
        } catch (IllegalArgumentException e) {
            throw new SemelConfigurationException(
                    place + " asks for a dialect that there is not: " + e.getMessage(),
                    "Name one of " + Dialect.names() + ", or define a bean of type Dialect with the name '" + asked
                            + "'.",
                    e);
        }
    }
}
