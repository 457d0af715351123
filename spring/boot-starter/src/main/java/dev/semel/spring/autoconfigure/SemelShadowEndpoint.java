package dev.semel.spring.autoconfigure;

import dev.semel.Namespace;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.http.shadow.ShadowReport;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.util.CallerThread;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Shows what shadow mode has found, on all nodes. */
@SuppressWarnings("deprecation") // Spring Boot 3 knows an optional parameter by Spring's own annotation alone.
@Endpoint(id = "semelshadow")
class SemelShadowEndpoint {

    private static final Duration WEEK = Duration.ofDays(7);
    private static final int NOT_IMPLEMENTED = 501;

    private final KeyStore store;
    private final Namespace namespace;
    private final @Nullable ShadowRecorder recorder;

    /** @param recorder the recorder of this node; {@code null} if it is not in shadow mode */
    SemelShadowEndpoint(KeyStore store, Namespace namespace, @Nullable ShadowRecorder recorder) {
        this.store = store;
        this.namespace = namespace;
        this.recorder = recorder;
    }

    /**
     * The report.
     *
     * @param since how far it goes back, such as {@code 24h}; 7 days if it is not given
     */
    @ReadOperation
    WebEndpointResponse<Map<String, Object>> report(@org.springframework.lang.Nullable @Nullable Duration since) {
        if (KeyStore.capability(store, Inspecting.class).isEmpty()) {
            return new WebEndpointResponse<>(
                    Map.of("error", "this store cannot list keys, so there is no report"), NOT_IMPLEMENTED);
        }
        if (since != null && (since.isNegative() || since.isZero())) {
            return new WebEndpointResponse<>(
                    Map.of("error", "since must be a time such as 24h or 7d, got " + since),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        if (recorder != null) {
            CallerThread.await(recorder.write());
        }
        return new WebEndpointResponse<>(
                CallerThread.await(ShadowReport.read(store, namespace, since == null ? WEEK : since))
                        .json());
    }
}
