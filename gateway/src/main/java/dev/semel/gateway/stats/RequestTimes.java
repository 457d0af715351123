package dev.semel.gateway.stats;

import dev.semel.gateway.config.Route;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** How long requests took until their response was written, by route and by the first digit of its status. */
public final class RequestTimes {

    private static final Duration[] BUCKETS = LongStream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final int CLASSES = 5;

    /** By the route's path, and in the order of the classes: 1xx, 2xx, ... */
    private final Map<String, Timer[]> timers = new HashMap<>();

    RequestTimes(MeterRegistry registry, List<Route> routes) {
        for (Route route : routes) {
            timers.computeIfAbsent(name(route), path -> {
                Timer[] classes = new Timer[CLASSES];
                for (int i = 0; i < CLASSES; i++) {
                    classes[i] = Timer.builder("semel.gateway.request")
                            .description("How long requests took until their response was written")
                            .tags("route", path, "status", (i + 1) + "xx")
                            .serviceLevelObjectives(BUCKETS)
                            .register(registry);
                }
                return classes;
            });
        }
    }

    private static String name(Route route) {
        return route.path().text();
    }

    /** Measures from now until the last byte of the response is written. One that breaks off is not measured. */
    public void watch(HttpServerRequest request, Route route) {
        Timer[] classes = timers.get(name(route));
        if (classes == null) {
            return;
        }
        long began = System.nanoTime();
        request.response().bodyEndHandler(written -> {
            int status = request.response().getStatusCode() / 100;
            if (status >= 1 && status <= CLASSES) {
                classes[status - 1].record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
            }
        });
    }
}
