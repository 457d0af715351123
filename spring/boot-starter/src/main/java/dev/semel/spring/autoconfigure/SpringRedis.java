package dev.semel.spring.autoconfigure;

import dev.semel.spring.operation.SemelConfigurationException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The Redis address of Spring Data, for applications that do not configure it twice. Bound by name: the class of Spring
 * Boot that holds these properties has another name in each of its versions.
 */
record SpringRedis(
        @Nullable String url,
        @Nullable String host,
        @DefaultValue("6379") int port,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue("0") int database,
        @DefaultValue Ssl ssl,
        @Nullable Sentinel sentinel,
        @Nullable Cluster cluster) {

    private static final String PREFIX = "spring.data.redis";

    record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

        boolean isOn() {
            return enabled == null ? bundle != null : enabled;
        }
    }

    record Sentinel(
            @DefaultValue("") String master,
            @DefaultValue List<String> nodes,
            @Nullable String password) {}

    record Cluster(@DefaultValue List<String> nodes) {}

    /** The URL of Redis, or {@code null} if nothing says where it is. */
    static @Nullable String url(Environment environment) {
        SpringRedis redis =
                Binder.get(environment).bind(PREFIX, SpringRedis.class).orElse(null);
        return redis == null ? null : redis.toUrl();
    }

    private @Nullable String toUrl() {
        if (url == null && sentinel == null && cluster == null && host == null) {
            return null;
        }
        refuseWhatNoUrlCanSay();
        if (url != null) {
            return ssl.isOn() && url.startsWith("redis:") ? "rediss" + url.substring("redis".length()) : url;
        }
        String scheme = ssl.isOn() ? "rediss" : "redis";
        if (sentinel != null) {
            return scheme + "-sentinel://" + credentials() + String.join(",", sentinel.nodes()) + "/" + database + "#"
                    + encoded(sentinel.master());
        }
        if (cluster != null) {
            return scheme + "-cluster://" + credentials() + String.join(",", cluster.nodes());
        }
        return scheme + "://" + credentials() + host + ":" + port + "/" + database;
    }

    private void refuseWhatNoUrlCanSay() {
        if (ssl.isOn() && ssl.bundle() != null) {
            throw new SemelConfigurationException(
                    "Semel cannot use the certificates of " + PREFIX + ".ssl.bundle.",
                    "Set semel.redis.url to a URL that begins with rediss://; the JVM must trust the certificate of Redis.");
        }
        if (sentinel != null && StringUtils.hasLength(sentinel.password())) {
            throw new SemelConfigurationException(
                    "Semel cannot log in to sentinels, and " + PREFIX + ".sentinel.password is set.",
                    "Set semel.redis.url to sentinels that ask for no password, or keep the keys elsewhere with semel.store.");
        }
        if (url != null && (sentinel != null || cluster != null)) {
            throw new SemelConfigurationException(
                    PREFIX + " says twice where Redis is: " + PREFIX + ".url, and " + PREFIX
                            + (sentinel == null ? ".cluster." : ".sentinel."),
                    "Leave one of them out, or set semel.redis.url.");
        }
    }

    private String credentials() {
        return StringUtils.hasLength(password)
                ? encoded(username == null ? "" : username) + ":" + encoded(password) + "@"
                : "";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
