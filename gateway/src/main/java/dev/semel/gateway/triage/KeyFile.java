package dev.semel.gateway.triage;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Keys as a file: for a spreadsheet, or to compare them with the list of a processor. */
public final class KeyFile {

    private static final List<String> COLUMNS = List.of(
            "digest",
            "key",
            "scope",
            "operation",
            "state",
            "attempt",
            "token",
            "claimedAt",
            "leaseUntil",
            "settledAt",
            "status",
            "traceId",
            "about",
            "cause");

    private KeyFile() {}

    /** With an empty column {@code executed} at the end, to be filled in and sent back. */
    public static String csv(List<FoundKey> keys) {
        StringBuilder text = new StringBuilder(
                Csv.line(Stream.concat(COLUMNS.stream(), Stream.of("executed")).toList()));
        for (FoundKey each : keys) {
            JsonObject json = each.json();
            Stream<String> cells = COLUMNS.stream().map(name -> {
                Object value = json.getValue(name);
                return value == null ? "" : value.toString();
            });
            text.append(Csv.line(Stream.concat(cells, Stream.of("")).toList()));
        }
        return text.toString();
    }

    public static String json(List<FoundKey> keys) {
        JsonArray all = new JsonArray();
        keys.forEach(each -> all.add(each.json()));
        return all.encode();
    }
}
