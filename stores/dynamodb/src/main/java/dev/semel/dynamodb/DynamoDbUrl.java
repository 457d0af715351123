package dev.semel.dynamodb;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** A URL such as {@code dynamodb:table?region=eu-central-1}. */
record DynamoDbUrl(String table, Map<String, String> options) {

    private static final String SCHEME = "dynamodb:";
    private static final Set<String> KNOWN = Set.of("region", "endpoint", "create", "maxClockSkew");

    static DynamoDbUrl parse(String url) {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException(
                    "the URL of a store in DynamoDB looks like dynamodb:table?region=eu-central-1, got \"" + url
                            + "\"");
        }
        String[] parts = url.substring(SCHEME.length()).split("\\?", 2);
        Map<String, String> options = new HashMap<>();
        if (parts.length == 2 && !parts[1].isEmpty()) {
            for (String parameter : parts[1].split("&")) {
                String[] pair = parameter.split("=", 2);
                if (!KNOWN.contains(pair[0]) || pair.length == 1) {
                    throw new IllegalArgumentException("\"" + parameter + "\" is no parameter of a store in DynamoDB;"
                            + " they are region=, endpoint=, create= and maxClockSkew=");
                }
                options.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            }
        }
        return new DynamoDbUrl(parts[0], options);
    }

    DynamoDbKeyStoreBuilder builder() {
        DynamoDbAsyncClientBuilder client = DynamoDbAsyncClient.builder();
        String region = options.get("region");
        if (region != null) {
            client.region(Region.of(region));
        }
        String endpoint = options.get("endpoint");
        if (endpoint != null) {
            client.endpointOverride(URI.create(endpoint));
        }
        DynamoDbKeyStoreBuilder store = new DynamoDbKeyStoreBuilder(client.build(), true)
                .table(table)
                .createIfMissing(Boolean.parseBoolean(options.get("create")));
        String skew = options.get("maxClockSkew");
        return skew == null ? store : store.maxClockSkew(Duration.ofMillis(Long.parseLong(skew)));
    }
}
