package dev.semel.gateway.config;

import dev.semel.http.HttpRules;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The limits of one caller on one gateway; 0 is no limit.
 *
 * @param inFlight requests with a key that are being received or run
 * @param perSecond requests with a key, on average
 * @param burst how many of them may come at once
 * @param buffered bytes of bodies of such requests and their responses
 * @param keys keys that the store keeps
 * @param bytes bytes of responses that the store keeps
 * @param unknown keys that are unknown
 */
public record CallerLimits(int inFlight, int perSecond, int burst, long buffered, long keys, long bytes, int unknown) {

    public static final CallerLimits NONE = new CallerLimits(0, 0, 0, 0, 0, 0, 0);

    private static final int LEAST_IN_FLIGHT = 16;
    private static final int PER_SECOND = 1000;
    private static final int UNKNOWN = 10_000;

    /** Leaves half of what there is to other callers, unless it is set otherwise or there are none. */
    static CallerLimits of(
            Settings settings, ScopeRule scope, Upstream upstream, long maxBuffered, List<Route> routes) {
        boolean alone = scope instanceof ScopeRule.Single;
        int perSecond = number(settings, Setting.CALLER_RATE).orElse(alone ? 0 : PER_SECOND);
        return new CallerLimits(
                number(settings, Setting.CALLER_IN_FLIGHT)
                        .orElse(alone ? 0 : Math.max(LEAST_IN_FLIGHT, upstream.connections() / 2)),
                perSecond,
                settings.optional(Setting.CALLER_BURST, text -> Parse.number(text, 1))
                        .orElse(perSecond > Integer.MAX_VALUE / 2 ? perSecond : 2 * perSecond),
                buffered(settings, alone ? 0 : maxBuffered / 2, routes),
                settings.get(Setting.CALLER_KEYS, text -> Parse.number(text, 0)),
                settings.get(Setting.CALLER_BYTES, Parse::size),
                number(settings, Setting.CALLER_UNKNOWN).orElse(alone ? 0 : UNKNOWN));
    }

    private static Optional<Integer> number(Settings settings, Setting setting) {
        return settings.optional(setting, text -> Parse.number(text, 0));
    }

    private static long buffered(Settings settings, long standard, List<Route> routes) {
        long largest = routes.stream()
                .flatMap(route -> Stream.ofNullable(route.rules()))
                .mapToLong(HttpRules::maxRequestBody)
                .max()
                .orElse(0);
        Optional<Long> set = settings.optional(Setting.CALLER_BUFFERED, Parse::size);
        if (set.isPresent() && set.get() > 0 && set.get() < largest) {
            throw settings.complaint(
                    Setting.CALLER_BUFFERED,
                    "a request may have " + largest + " bytes (max-body), but its caller only " + set.get()
                            + ": set at least " + largest + ", or 0 for no limit, or lower max-body");
        }
        return set.orElse(standard == 0 ? 0 : Math.max(standard, largest));
    }
}
