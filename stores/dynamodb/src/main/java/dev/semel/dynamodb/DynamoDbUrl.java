package dev.semel.dynamodb;

import dev.semel.spi.life.StoreUrl;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** A URL such as {@code dynamodb:table?region=eu-central-1}. */
record DynamoDbUrl(String table, Map<String, String> options) {

    private static final String SCHEME = "dynamodb:";
    private static final List<String> KNOWN = List.of("region", "endpoint", "createIfMissing", "maxClockSkew");

    static DynamoDbUrl parse(String url) {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException(
                    "the URL of a store in DynamoDB looks like dynamodb:table?region=eu-central-1, got \"" + url
                            + "\"");
        }
        String[] parts = url.substring(SCHEME.length()).split("\\?", 2);
        return new DynamoDbUrl(parts[0], StoreUrl.parameters(parts.length == 1 ? "" : parts[1], SCHEME, KNOWN));
    }

    DynamoDbKeyStore.Builder builder() {
        DynamoDbAsyncClientBuilder client = DynamoDbAsyncClient.builder();
        String region = options.get("region");
        if (region != null) {
            client.region(Region.of(region));
        }
        String endpoint = options.get("endpoint");
        if (endpoint != null) {
            client.endpointOverride(URI.create(endpoint));
        }
        DynamoDbKeyStore.Builder store = new DynamoDbKeyStore.Builder(client.build(), true).table(table);
        if (Boolean.parseBoolean(options.get("createIfMissing"))) {
            store.createIfMissing();
        }
        String skew = options.get("maxClockSkew");
        return skew == null ? store : store.maxClockSkew(Duration.ofMillis(Long.parseLong(skew)));
    }
}
