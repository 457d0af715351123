package dev.semel.quarkus.runtime;

import dev.semel.Semel;
import dev.semel.observe.StoreHealth;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Reports whether the store answers, without waiting for it: a later check notices a store that went down. */
@Readiness
@ApplicationScoped
public class StoreHealthCheck implements HealthCheck {

    private final Semel semel;

    @Inject
    public StoreHealthCheck(Semel semel) {
        this.semel = semel;
    }

    @Override
    public HealthCheckResponse call() {
        StoreHealth health = semel.storeHealth();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("semel").status(health.isUp());
        health.downSince().ifPresent(since -> response.withData("since", since.toString()));
        health.cause().ifPresent(reason -> response.withData("reason", reason));
        return response.build();
    }
}
