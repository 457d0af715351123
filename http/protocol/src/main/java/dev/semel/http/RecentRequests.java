package dev.semel.http;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What was asked and answered in the last moments, as far as a bounded memory holds it. */
final class RecentRequests {

    private static final int REMEMBERED = 16_384;

    private final RecentlyUsed<Request, Seen> seen = new RecentlyUsed<>(REMEMBERED);
    private final RecentlyUsed<KeyDigest, Told> told = new RecentlyUsed<>(REMEMBERED);
    private final Duration window;

    RecentRequests(Duration window) {
        this.window = window;
    }

    private record Request(String scope, Fingerprint fingerprint) {}

    /** When a request came last, and under which key. */
    record Seen(KeyDigest key, Instant at) {}

    /** When a caller was told to wait, and for how long. */
    record Told(Instant at, Duration after) {}

    /** Notes a request, and returns the same one before it if that came under another key not long ago. */
    @Nullable
    Seen arrived(String scope, Fingerprint fingerprint, KeyDigest key, Instant now) {
        Seen before = seen.put(new Request(scope, fingerprint), new Seen(key, now));
        return before != null
                        && !before.key().equals(key)
                        && Duration.between(before.at(), now).compareTo(window) <= 0
                ? before
                : null;
    }

    void told(KeyDigest key, Told answer) {
        told.put(key, answer);
    }

    /** What the caller was told when it last sent this key; each answer counts once. */
    @Nullable
    Told takeTold(KeyDigest key) {
        return told.remove(key);
    }
}
