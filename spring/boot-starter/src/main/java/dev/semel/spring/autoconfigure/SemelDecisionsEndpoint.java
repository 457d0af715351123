package dev.semel.spring.autoconfigure;

import dev.semel.spi.DecisionLog;
import dev.semel.spi.KeyStore;
import dev.semel.util.CallerThread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Shows what people decided about keys, if the store keeps it. */
@SuppressWarnings("deprecation") // Spring Boot 3 knows an optional parameter by Spring's own annotation alone.
@Endpoint(id = "semeldecisions")
class SemelDecisionsEndpoint {

    private static final int DEFAULT_LIMIT = 50;
    private static final int NOT_IMPLEMENTED = 501;

    private final @Nullable DecisionLog log;

    SemelDecisionsEndpoint(KeyStore store) {
        this.log = KeyStore.capability(store, DecisionLog.class).orElse(null);
    }

    /**
     * The latest decisions first.
     *
     * @param subject the digest of a key, or nothing for all
     * @param before the id of an entry that they are older than
     */
    @ReadOperation
    WebEndpointResponse<Map<String, Object>> decisions(
            @org.springframework.lang.Nullable @Nullable String subject,
            @org.springframework.lang.Nullable @Nullable Long before,
            @org.springframework.lang.Nullable @Nullable Integer limit) {
        if (log == null) {
            return new WebEndpointResponse<>(
                    Map.of("error", "this store keeps no decisions; they are in the log dev.semel.audit"),
                    NOT_IMPLEMENTED);
        }
        List<DecisionLog.Entry> entries = CallerThread.await(
                log.entries(subject, before == null ? 0 : before, limit == null ? DEFAULT_LIMIT : limit));
        return new WebEndpointResponse<>(Map.of(
                "decisions", entries.stream().map(SemelDecisionsEndpoint::show).toList()));
    }

    private static Map<String, Object> show(DecisionLog.Entry entry) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", entry.id());
        shown.put("at", entry.at().toString());
        shown.put("by", entry.by().name());
        if (entry.by().address() != null) {
            shown.put("address", entry.by().address());
        }
        shown.put("action", entry.action());
        shown.put("subject", entry.subject());
        if (entry.operation() != null) {
            shown.put("operation", entry.operation());
        }
        shown.put("token", entry.token());
        shown.put("before", entry.before());
        shown.put("after", entry.after());
        shown.put("reason", entry.reason());
        return shown;
    }
}
