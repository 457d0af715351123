package dev.semel.client;

/** How the API on the other side wants its keys: in which header, and in quotes or not. */
public enum ServerDialect {
    /** The Internet-Draft, which Semel itself speaks unless it is told otherwise. */
    DRAFT("Idempotency-Key", KeyFormat.QUOTED),
    /** Stripe, v1 and v2. */
    STRIPE("Idempotency-Key", KeyFormat.BARE),
    /** The Agentic Commerce Protocol. */
    ACP("Idempotency-Key", KeyFormat.BARE),
    /** The Universal Commerce Protocol. */
    UCP("Idempotency-Key", KeyFormat.BARE),
    /** The Apache Iceberg REST catalog; its keys are UUIDs of version 7. */
    ICEBERG("Idempotency-Key", KeyFormat.BARE),
    PAYPAL("PayPal-Request-Id", KeyFormat.BARE),
    ADYEN("Idempotency-Key", KeyFormat.BARE);

    private final String header;
    private final KeyFormat format;

    ServerDialect(String header, KeyFormat format) {
        this.header = header;
        this.format = format;
    }

    public String header() {
        return header;
    }

    public KeyFormat keyFormat() {
        return format;
    }
}
