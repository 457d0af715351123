package dev.semel.cli;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.util.CallerThread;
import dev.semel.util.Text;
import java.util.ArrayList;
import java.util.List;

/** Finds keys by their digest, or by its beginning. */
record KeyFinder(Inspecting store) {

    private static final int DIGEST = 32;
    private static final int SHORTEST = 4;

    /** Stores find a prefix by reading their keys one after the other, and a person waits for it. */
    private static final int MOST_READ = 200_000;

    KeyRecord find(String digest) throws NoSuchKeyException {
        if (digest.length() == DIGEST) {
            return CallerThread.await(store.find(KeyDigest.parse(digest)))
                    .orElseThrow(() -> new NoSuchKeyException("there is no key " + digest));
        }
        if (!digest.matches("[0-9a-f]{" + SHORTEST + "," + (DIGEST - 1) + "}")) {
            throw new IllegalArgumentException(
                    "a key digest has " + DIGEST + " lower-case hexadecimal digits, of which the first " + SHORTEST
                            + " or more can be given, got " + Text.quote(digest));
        }
        List<KeyRecord> found = beginningWith(digest);
        if (found.isEmpty()) {
            throw new NoSuchKeyException("there is no key that begins with " + digest);
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException("more than one key begins with " + digest + ", for example "
                    + found.get(0).key().digest() + " and " + found.get(1).key().digest() + "; give more digits");
        }
        return found.get(0);
    }

    private List<KeyRecord> beginningWith(String prefix) {
        List<KeyRecord> found = new ArrayList<>();
        KeyQuery query = KeyQuery.builder(KeyQuery.MAX_LIMIT).build();
        for (int read = 0; read < MOST_READ && found.size() < 2; ) {
            KeyPage page = CallerThread.await(store.page(query));
            page.records().stream()
                    .filter(each -> each.key().digest().toString().startsWith(prefix))
                    .forEach(found::add);
            if (page.next() == null) {
                return found;
            }
            read += page.records().size();
            query = query.after(page.next());
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("none of the first " + MOST_READ + " keys begins with " + prefix
                    + "; give all " + DIGEST + " digits");
        }
        return found;
    }
}
