package dev.semel.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A URL of Redis: {@code redis://} and {@code rediss://} for a single server, {@code redis-sentinel://} and {@code
 * rediss-sentinel://}, {@code redis-cluster://} and {@code rediss-cluster://}.
 *
 * @param url what Lettuce understands
 * @param options the parameters of the query that are Semel's own
 */
record RedisUrl(String url, boolean cluster, Map<String, String> options) {

    private static final Set<String> OWN = Set.of("prefix", "setUp", "replicas");
    private static final Set<String> SCHEMES = Set.of(
            "redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster", "redis-socket");

    static RedisUrl parse(String text) {
        int colon = text.indexOf("://");
        String scheme = colon < 0 ? "" : text.substring(0, colon);
        if (!SCHEMES.contains(scheme)) {
            throw new IllegalArgumentException("the URL of a store in Redis begins with redis://, rediss://,"
                    + " redis-sentinel:// or redis-cluster://, got \"" + scheme + "\"");
        }
        Map<String, String> options = new LinkedHashMap<>();
        String rest = withoutOwnParameters(text.substring(colon), options);
        boolean cluster = scheme.endsWith("-cluster");
        return new RedisUrl((cluster ? scheme.replace("-cluster", "") : scheme) + rest, cluster, options);
    }

    private static String withoutOwnParameters(String url, Map<String, String> options) {
        int hash = url.indexOf('#');
        String fragment = hash < 0 ? "" : url.substring(hash);
        String start = hash < 0 ? url : url.substring(0, hash);
        int mark = start.indexOf('?');
        if (mark < 0) {
            return url;
        }
        List<String> others = new ArrayList<>();
        for (String parameter : start.substring(mark + 1).split("&")) {
            String[] pair = parameter.split("=", 2);
            if (OWN.contains(pair[0])) {
                options.put(pair[0], pair.length == 2 ? pair[1] : "");
            } else {
                others.add(parameter);
            }
        }
        String query = String.join("&", others);
        return start.substring(0, mark) + (query.isEmpty() ? "" : "?" + query) + fragment;
    }

    RedisURI single() {
        return RedisURI.create(url);
    }

    List<RedisURI> nodes() {
        return RedisClusterURIUtil.toRedisURIs(URI.create(url));
    }
}
