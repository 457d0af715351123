package dev.semel.torture.plan;

import java.util.Arrays;
import java.util.Locale;

/** The way in: what is between clients and the operations. */
public enum Door {
    /** A service that calls the engine itself. */
    ENGINE("engine"),
    /** A service in Tomcat, behind the servlet filter. */
    SERVLET("servlet filter"),
    /** A service on WebFlux, behind its filter. */
    WEBFLUX("WebFlux filter"),
    /** A gateway in front of a service that does not know about keys. */
    GATEWAY("gateway"),
    /** Kafka, and a consumer of each topic in every node. */
    KAFKA("Kafka consumer"),
    /** SQS, and a consumer of each queue in every node. */
    SQS("SQS consumer"),
    /** RabbitMQ, and a consumer of each queue in every node. */
    RABBITMQ("RabbitMQ consumer");

    private final String title;

    Door(String title) {
        this.title = title;
    }

    /** What it is called in a sentence. */
    public String title() {
        return title;
    }

    /** Whether clients send messages, and nodes consume them. */
    public boolean isBroker() {
        return this == KAFKA || this == SQS || this == RABBITMQ;
    }

    /** Whether the service calls the engine, which can run one operation inside another, and answers each request. */
    public boolean hasNestedOperations() {
        return this == ENGINE || this == SERVLET || this == WEBFLUX;
    }

    public static Door named(String name) {
        return Arrays.stream(values())
                .filter(door -> door.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no door " + name + "; there are " + Arrays.toString(values())));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
