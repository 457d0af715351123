package dev.semel.torture;

import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How often each fault was injected into each store through a door, in Markdown.
 *
 * @param count how often, by store and fault
 */
record FaultTable(Door door, List<StoreKind> stores, ToLongBiFunction<StoreKind, FaultKind> count) {

    String markdown() {
        return stores.stream()
                        .map(store -> "`" + store + "`")
                        .collect(Collectors.joining(
                                " | ",
                                "| fault through the " + door.title() + " | ",
                                " |\n|---" + "|---".repeat(stores.size()) + "|\n"))
                + Stream.of(FaultKind.values())
                        .filter(kind -> kind.happensAt(door))
                        .filter(kind -> stores.stream().anyMatch(kind::happensOn))
                        .map(this::row)
                        .collect(Collectors.joining());
    }

    private String row(FaultKind kind) {
        return stores.stream()
                .map(store -> cell(store, kind))
                .collect(Collectors.joining(" | ", "| `" + kind + "` | ", " |\n"));
    }

    private String cell(StoreKind store, FaultKind kind) {
        long often = count.applyAsLong(store, kind);
        return often == 0 && !kind.happensOn(store) ? "–" : String.format(Locale.ROOT, "%,d", often);
    }
}
