package dev.semel.http.behaviour;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Remembers recent requests and their answers, in bounded memory. Times are in milliseconds. */
final class RecentRequests {

    private static final int REMEMBERED = 16_384;

    private static final long ODD = 0x9E3779B97F4A7C15L;

    private final DigestTable seen = new DigestTable(REMEMBERED, 3);
    private final DigestTable advised = new DigestTable(REMEMBERED, 2);
    /** Until when some caller has to wait: after that no retry is too early, and none has to be looked up. */
    private final AtomicLong advisedUntil = new AtomicLong(Long.MIN_VALUE);

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final long window;

    RecentRequests(Duration window) {
        this.window = window.toMillis();
    }

    /** When a request came last, and under which key. */
    record Seen(KeyDigest key, long at) {}

    /** When a caller was asked to wait, and for how long. */
    record RetryAdvice(long at, long after) {}

    /** Notes a request, and returns the same one before it if that came under another key not long ago. */
    @Nullable
    Seen arrived(String scope, Fingerprint fingerprint, KeyDigest key, long now) {
        ByteBuffer digest = ByteBuffer.wrap(fingerprint.bytes()).position(Fingerprint.LENGTH - 2 * Long.BYTES);
        long[] before = seen.put(digest.getLong() ^ hash(scope), digest.getLong(), key.high(), key.low(), now);
        if (before == null || (before[0] == key.high() && before[1] == key.low()) || now - before[2] > window) {
            return null;
        }
        return new Seen(new KeyDigest(before[0], before[1]), before[2]);
    }

    /** Tells callers apart, with a seed that none of them knows. */
    private long hash(String scope) {
        long hash = seed;
        for (int i = 0; i < scope.length(); i++) {
            hash = (hash ^ scope.charAt(i)) * ODD;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    void advised(KeyDigest key, RetryAdvice answer) {
        advised.put(key.high(), key.low(), answer.at, answer.after);
        advisedUntil.accumulateAndGet(answer.at + answer.after, Math::max);
    }

    /** The answer to the caller's last request with this key, if any caller has to wait now; each answer counts once. */
    @Nullable
    RetryAdvice takeAdvice(KeyDigest key, long now) {
        if (now >= advisedUntil.get()) {
            return null;
        }
        long[] found = advised.remove(key.high(), key.low());
        return found == null ? null : new RetryAdvice(found[0], found[1]);
    }
}
