package dev.semel;

import java.nio.charset.StandardCharsets;

/** The stored form of an exception: its class name and message, on one line each. */
final class StoredFailure {

    private static final String CONTENT_TYPE = "application/vnd.semel.failure";
    private static final int MAX_MESSAGE = 4096;

    private StoredFailure() {}

    static Outcome encode(Throwable failure) {
        String message = message(failure);
        return of(failure.getClass().getName(), message.substring(0, Math.min(message.length(), MAX_MESSAGE)));
    }

    /** An exception of the application may fail to tell its message; that it was thrown is kept all the same. */
    private static String message(Throwable failure) {
        try {
            return String.valueOf(failure.getMessage());
        } catch (Throwable e) {
            return "its message cannot be told: " + e.getClass().getName();
        }
    }

    static Outcome of(String type, String message) {
        return Outcome.failed()
                .contentType(CONTENT_TYPE)
                .payload(type + "\n" + message)
                .build();
    }

    static OperationFailedException decode(Outcome outcome) {
        byte[] payload = outcome.payload();
        if (payload == null || !CONTENT_TYPE.equals(outcome.contentType())) {
            return new OperationFailedException("unknown", "the operation failed: " + outcome);
        }
        String[] parts = new String(payload, StandardCharsets.UTF_8).split("\n", 2);
        return new OperationFailedException(parts[0], parts.length > 1 ? parts[1] : "");
    }
}
