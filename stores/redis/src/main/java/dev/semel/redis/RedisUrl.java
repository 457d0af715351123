package dev.semel.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL of Redis: {@code redis://} and {@code rediss://} for a single server, {@code redis-sentinel://} and {@code
 * rediss-sentinel://}, {@code redis-cluster://} and {@code rediss-cluster://}.
 *
 * @param url the URL for Lettuce @param options Semel's parameters from the query
 */
record RedisUrl(String url, boolean cluster, Map<String, String> options) {

    private static final Set<String> SCHEMES = Set.of(
            "redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster", "redis-socket");
    private static final Pattern OWN =
            Pattern.compile("(?<=[?&])(prefix|createIfMissing|replicas)(?:=([^&#]*))?(?:&|(?=#|$))");

    static RedisUrl parse(String text) {
        int colon = text.indexOf("://");
        String scheme = colon < 0 ? "" : text.substring(0, colon);
        if (!SCHEMES.contains(scheme)) {
            throw new IllegalArgumentException("the URL of a store in Redis begins with redis://, rediss://,"
                    + " redis-sentinel:// or redis-cluster://, got \"" + scheme + "\"");
        }
        Map<String, String> options = new LinkedHashMap<>();
        Matcher own = OWN.matcher(text);
        while (own.find()) {
            options.put(own.group(1), own.group(2) == null ? "" : own.group(2));
        }
        String url = own.replaceAll("").replaceFirst("[?&](?=#|$)", "");
        return new RedisUrl(url.replaceFirst("-cluster(?=://)", ""), scheme.endsWith("-cluster"), options);
    }

    RedisURI single() {
        return RedisURI.create(url);
    }

    List<RedisURI> nodes() {
        return RedisClusterURIUtil.toRedisURIs(URI.create(url));
    }
}
