package dev.semel.testkit.failures;

/** A way into Semel: a column of the {@link FailureMatrix}. */
public enum FrontEnd {
    BEAN("bean method"),
    MVC("Spring MVC"),
    WEBFLUX("WebFlux"),
    KAFKA("Kafka"),
    SPRING_KAFKA("Spring Kafka"),
    SQS("SQS"),
    RABBITMQ("RabbitMQ"),
    GATEWAY("gateway"),
    CLIENT("client");

    private final String title;

    FrontEnd(String title) {
        this.title = title;
    }

    /** The heading of its column. */
    public String title() {
        return title;
    }
}
