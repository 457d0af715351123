package dev.semel.gateway.config;

import dev.semel.http.HttpRules;
import dev.semel.http.dialect.Dialect;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A route: the rules for some paths.
 *
 * @param dialect how requests of this route are answered, also those that are not protected
 * @param rules how requests are protected; {@code null} where they are not
 * @param timeout how long the upstream may take to answer
 * @param reconcileUrl where to ask what happened to an operation
 * @param keyInPath whether the path of a request may be its key
 */
public record Route(
        PathPattern path,
        String operation,
        Dialect dialect,
        @Nullable HttpRules rules,
        Duration timeout,
        @Nullable URI reconcileUrl,
        boolean keyInPath) {}
