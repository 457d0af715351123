package dev.semel.client;

import org.jspecify.annotations.Nullable;

/** The form in which an API expects keys: the header, with or without quotes, and with a time or not. */
public enum ServerDialect {
    /** The Internet-Draft, which Semel itself speaks by default. */
    DRAFT("Idempotency-Key", KeyFormat.QUOTED),
    /** Stripe, v1 and v2. */
    STRIPE("Idempotency-Key", KeyFormat.BARE),
    /** The Agentic Commerce Protocol. */
    ACP("Idempotency-Key", KeyFormat.BARE),
    /** The Universal Commerce Protocol. */
    UCP("Idempotency-Key", KeyFormat.BARE),
    /** The Apache Iceberg REST catalog; its keys are UUIDs of version 7. */
    ICEBERG("Idempotency-Key", KeyFormat.BARE),
    /** OASIS Repeatable Requests; its keys are UUIDs, and a second header says when the operation was first sent. */
    OASIS("Repeatability-Request-ID", KeyFormat.BARE, "Repeatability-First-Sent"),
    PAYPAL("PayPal-Request-Id", KeyFormat.BARE),
    ADYEN("Idempotency-Key", KeyFormat.BARE);

    private final String header;
    private final KeyFormat format;
    private final @Nullable String firstSentHeader;

    ServerDialect(String header, KeyFormat format) {
        this(header, format, null);
    }

    ServerDialect(String header, KeyFormat format, @Nullable String firstSentHeader) {
        this.header = header;
        this.format = format;
        this.firstSentHeader = firstSentHeader;
    }

    public String header() {
        return header;
    }

    public KeyFormat keyFormat() {
        return format;
    }

    /** The header that says when an operation was first sent; {@code null} if there is none. */
    public @Nullable String firstSentHeader() {
        return firstSentHeader;
    }
}
