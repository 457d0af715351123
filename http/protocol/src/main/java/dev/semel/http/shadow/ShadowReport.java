package dev.semel.http.shadow;

import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.http.shadow.ShadowTotals.Count;
import dev.semel.http.shadow.ShadowTotals.Row;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The findings of shadow mode on all nodes: the operations that ran twice, for which callers, and the callers that send
 * no keys.
 */
public final class ShadowReport {

    /** The caller of requests that have none. */
    public static final String NO_CALLER = "(no caller)";

    private static final int PAGE = 200;

    private final Instant from;
    private final Instant to;
    private final List<Caller> callers;
    private final List<Operation> operations;

    /** What was found about the requests of one caller for one operation. */
    public static final class Caller {

        private final String operation;
        private final String caller;
        private final Map<ShadowFinding, Long> counts;
        private final Count all;

        private Caller(String operation, String caller, Map<ShadowFinding, Long> counts, Count all) {
            this.operation = operation;
            this.caller = caller;
            this.counts = Collections.unmodifiableMap(counts);
            this.all = all;
        }

        public String operation() {
            return operation;
        }

        public String caller() {
            return caller;
        }

        /** How often each was found; what was not found is not in it. */
        public Map<ShadowFinding, Long> counts() {
            return counts;
        }

        public Instant first() {
            return Instant.ofEpochMilli(all.first());
        }

        public Instant last() {
            return Instant.ofEpochMilli(all.last());
        }

        /** How often something was found. */
        public long count(ShadowFinding finding) {
            return counts.getOrDefault(finding, 0L);
        }

        /** How often the operation ran a second time. */
        public long executedTwice() {
            return counts.keySet().stream()
                    .filter(ShadowFinding::isSecondExecution)
                    .mapToLong(this::count)
                    .sum();
        }
    }

    /** An operation that was watched. */
    public static final class Operation {

        private final String operation;
        private final Count requests;
        private final Count dropped;
        private final Count withoutKey;
        private final Count all;

        private Operation(String operation, Count requests, Count dropped, Count withoutKey, Count all) {
            this.operation = operation;
            this.requests = requests;
            this.dropped = dropped;
            this.withoutKey = withoutKey;
            this.all = all;
        }

        public String operation() {
            return operation;
        }

        /** How many requests were looked at. */
        public long requests() {
            return requests.times();
        }

        /** How many were not, because there was no room or the store was down. */
        public long dropped() {
            return dropped.times();
        }

        /** How many had no key, or none that can be used. */
        public long withoutKey() {
            return withoutKey.times();
        }

        /** When the last one of those came; {@code null} if there was none. */
        public @Nullable Instant lastWithoutKey() {
            return withoutKey() == 0 ? null : Instant.ofEpochMilli(withoutKey.last());
        }

        public Instant first() {
            return Instant.ofEpochMilli(all.first());
        }

        public Instant last() {
            return Instant.ofEpochMilli(all.last());
        }

        /** Whether every request that was looked at had a key, and all were looked at: keys can be required. */
        public boolean isReadyToRequireKeys() {
            return requests() > 0 && withoutKey() == 0 && dropped() == 0;
        }
    }

    private ShadowReport(Instant from, Instant to, List<Caller> callers, List<Operation> operations) {
        this.from = from;
        this.to = to;
        this.callers = callers;
        this.operations = operations;
    }

    /**
     * Reads the records of a period that ends now.
     *
     * @param namespace the namespace of the keys; {@code null} for all of them
     * @throws IllegalArgumentException if the store does not implement {@code Inspecting}
     */
    public static CompletionStage<ShadowReport> read(KeyStore store, @Nullable Namespace namespace, Duration period) {
        Inspecting inspecting = KeyStore.capability(store, Inspecting.class)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the store " + store.getClass().getName()
                                + " does not implement Inspecting, so there is no report; use a store that does"));
        String shadow =
                namespace == null ? null : ShadowKeys.shadowOf(namespace).toString();
        Map<Row, Count> counts = new LinkedHashMap<>();
        return inspecting.now().thenCompose(now -> {
            Instant from = now.minus(period);
            KeyQuery query = KeyQuery.builder(PAGE)
                    .operation(ShadowKeys.REPORT)
                    .claimedFrom(from)
                    .build();
            return readPages(inspecting, query, shadow, counts).thenApply(read -> of(from, now, counts));
        });
    }

    private static CompletionStage<Void> readPages(
            Inspecting inspecting, KeyQuery query, @Nullable String namespace, Map<Row, Count> counts) {
        return inspecting.page(query).thenCompose(page -> {
            add(page, namespace, counts);
            return page.next() == null
                    ? CompletableFuture.completedStage(null)
                    : readPages(inspecting, query.after(page.next()), namespace, counts);
        });
    }

    private static void add(KeyPage page, @Nullable String namespace, Map<Row, Count> counts) {
        for (KeyRecord record : page.records()) {
            Outcome outcome = record.outcome();
            byte[] payload = outcome == null ? null : outcome.payload();
            if (payload != null
                    && (namespace == null
                            || namespace.equals(record.key().namespace().toString()))) {
                TotalsText.read(record.key().scope(), new String(payload, StandardCharsets.UTF_8))
                        .forEach((row, count) -> counts.merge(row, count, Count::and));
            }
        }
    }

    private static ShadowReport of(Instant from, Instant to, Map<Row, Count> counts) {
        Map<String, List<Caller>> byOperation = new TreeMap<>();
        Map<String, Map<String, Map<Row, Count>>> grouped = new TreeMap<>();
        counts.forEach((row, count) -> grouped.computeIfAbsent(row.operation(), operation -> new TreeMap<>())
                .computeIfAbsent(row.scope(), scope -> new LinkedHashMap<>())
                .put(row, count));
        List<Operation> operations = new ArrayList<>();
        grouped.forEach((operation, scopes) -> {
            List<Caller> callers = new ArrayList<>();
            scopes.forEach((scope, rows) -> {
                Caller caller = caller(operation, scope, rows);
                if (caller != null) {
                    callers.add(caller);
                }
            });
            byOperation.put(operation, callers);
            operations.add(operation(operation, scopes));
        });
        List<Caller> all = byOperation.values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(Caller::executedTwice).reversed())
                .toList();
        return new ShadowReport(from, to, all, List.copyOf(operations));
    }

    private static @Nullable Caller caller(String operation, String scope, Map<Row, Count> rows) {
        Map<ShadowFinding, Long> counts = new EnumMap<>(ShadowFinding.class);
        Count all = null;
        for (ShadowFinding finding : ShadowFinding.values()) {
            Count count = rows.get(new Row(scope, operation, finding.name()));
            if (count != null) {
                counts.put(finding, count.times());
                all = all == null ? count : all.and(count);
            }
        }
        return all == null
                ? null
                : new Caller(operation, scope.equals(ShadowKeys.OWN_SCOPE) ? NO_CALLER : scope, counts, all);
    }

    private static Operation operation(String operation, Map<String, Map<Row, Count>> scopes) {
        Count none = new Count(0, Long.MAX_VALUE, Long.MIN_VALUE);
        Count requests = none;
        Count dropped = none;
        Count withoutKey = none;
        Count all = none;
        for (Map<Row, Count> rows : scopes.values()) {
            for (Map.Entry<Row, Count> row : rows.entrySet()) {
                String what = row.getKey().what();
                Count count = row.getValue();
                all = all.and(count);
                if (what.equals(ShadowTotals.REQUESTS)) {
                    requests = requests.and(count);
                } else if (what.equals(ShadowTotals.DROPPED)) {
                    dropped = dropped.and(count);
                } else if (what.equals(ShadowFinding.KEY_MISSING.name())
                        || what.equals(ShadowFinding.KEY_INVALID.name())) {
                    withoutKey = withoutKey.and(count);
                }
            }
        }
        return new Operation(operation, requests, dropped, withoutKey, all);
    }

    /** The start of the period. */
    public Instant from() {
        return from;
    }

    /** The end of the period: when the report was made. */
    public Instant to() {
        return to;
    }

    /** The callers with findings, sorted by how often their operations ran twice. */
    public List<Caller> callers() {
        return callers;
    }

    /** The operations that were watched, by name. */
    public List<Operation> operations() {
        return operations;
    }

    /** How many requests were looked at. */
    public long requests() {
        return operations.stream().mapToLong(Operation::requests).sum();
    }

    /** How many requests were not looked at. */
    public long dropped() {
        return operations.stream().mapToLong(Operation::dropped).sum();
    }

    /** How many operations ran a second time. */
    public long executedTwice() {
        return callers.stream().mapToLong(Caller::executedTwice).sum();
    }

    /** How many keys belong to an operation that may have run or not: by default, protection would have held them. */
    public long outcomesUnknown() {
        return callers.stream()
                .mapToLong(caller -> caller.count(ShadowFinding.OUTCOME_UNKNOWN))
                .sum();
    }

    /** The report as text, for people. */
    public String text() {
        return ReportText.of(this);
    }

    /** The report as a map of maps, lists, texts and numbers, for JSON. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", from.toString());
        json.put("to", to.toString());
        json.put("requests", requests());
        json.put("dropped", dropped());
        json.put("executedTwice", executedTwice());
        json.put("outcomesUnknown", outcomesUnknown());
        json.put("callers", callers.stream().map(ShadowReport::json).toList());
        json.put("operations", operations.stream().map(ShadowReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(Caller caller) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("operation", caller.operation());
        json.put("caller", caller.caller());
        json.put("executedTwice", caller.executedTwice());
        Map<String, Object> counts = new LinkedHashMap<>();
        caller.counts().forEach((finding, count) -> counts.put(finding.id(), count));
        json.put("found", counts);
        json.put("first", caller.first().toString());
        json.put("last", caller.last().toString());
        return json;
    }

    private static Map<String, Object> json(Operation operation) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("operation", operation.operation());
        json.put("requests", operation.requests());
        json.put("dropped", operation.dropped());
        json.put("withoutKey", operation.withoutKey());
        if (operation.lastWithoutKey() != null) {
            json.put("lastWithoutKey", operation.lastWithoutKey().toString());
        }
        json.put("readyToRequireKeys", operation.isReadyToRequireKeys());
        json.put("first", operation.first().toString());
        json.put("last", operation.last().toString());
        return json;
    }
}
