package dev.semel.gateway.admin;

import dev.semel.util.RecentlyUsed;
import io.netty.util.NetUtil;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Slows down guesses of the admin token: after a few wrong ones, an address waits, twice as long after each. All
 * addresses together have a limit too, for a guesser that has many.
 */
final class TokenGuesses {

    static final int FREE = 5;
    static final int FREE_IN_ALL = 100;

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);
    private static final int REMEMBERED = 1_000;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_NETWORK_BYTES = 8;

    private final LongSupplier nanoTime;
    private final Failures all = new Failures(FREE_IN_ALL);

    /** The address that has tried the longest ago is forgotten for a new one. */
    private final Map<String, Failures> peers = RecentlyUsed.upTo(REMEMBERED);

    TokenGuesses(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** How long this address must wait before a token of it is looked at. */
    Duration waitOf(String address) {
        long now = nanoTime.getAsLong();
        Failures own = peers.get(network(address));
        long wait = Math.max(all.waitAt(now), own == null ? 0 : own.waitAt(now));
        return Duration.ofNanos(wait);
    }

    void wrong(String address) {
        long now = nanoTime.getAsLong();
        all.add(now);
        peers.computeIfAbsent(network(address), unknown -> new Failures(FREE)).add(now);
    }

    int remembered() {
        return peers.size();
    }

    /** One machine can have a whole network of IPv6 addresses. */
    private static String network(String address) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
        return bytes != null && bytes.length == IPV6_BYTES
                ? HexFormat.of().formatHex(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES))
                : address;
    }

    private static final class Failures {

        private final int free;
        private int count;
        private long lastAt;

        private Failures(int free) {
            this.free = free;
        }

        private void add(long now) {
            count = count > 0 && now - lastAt > FORGOTTEN_AFTER.toNanos() ? 1 : count + 1;
            lastAt = now;
        }

        private long waitAt(long now) {
            if (count < free) {
                return 0;
            }
            int doublings = Math.min(count - free, Long.SIZE / 2);
            long wait = Math.min(
                    LONGEST.toNanos(), Duration.ofSeconds(1L << doublings).toNanos());
            return Math.max(0, wait - (now - lastAt));
        }
    }
}
