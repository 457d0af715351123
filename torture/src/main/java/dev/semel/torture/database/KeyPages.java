package dev.semel.torture.database;

import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Everything that a query finds: a page may be empty, and still have a next one. */
public final class KeyPages {

    private static final long PATIENCE_SECONDS = 5;

    private KeyPages() {}

    /** At least so many records, if there are as many. */
    public static List<KeyRecord> read(Inspecting keys, KeyQuery query, int enough) throws Exception {
        List<KeyRecord> records = new ArrayList<>();
        KeyQuery page = query;
        while (true) {
            KeyPage found = keys.page(page).toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            records.addAll(found.records());
            String next = found.next();
            if (next == null || records.size() >= enough) {
                return records;
            }
            page = query.after(next);
        }
    }
}
