package dev.semel.torture.service;

import java.nio.charset.StandardCharsets;

/**
 * What a request gets.
 *
 * @param body the outcome, where there is one
 * @param attempt the attempt that ran in this request; 0 if none did
 */
public record ServiceReply(Kind kind, byte[] body, int attempt) {

    /** What kind of answer it is. The first ones are those of the history checker. */
    public enum Kind {
        EXECUTED(200),
        EXECUTED_UNSETTLED(200),
        REPLAYED(200),
        IN_FLIGHT(409),
        MISMATCH(422),
        UNKNOWN(423),
        EXPIRED(410),
        /** The operation was refused before it had an effect. */
        NOT_APPLIED(503),
        /** The operation was not started in this request. */
        NOT_STARTED(503),
        /** Something went wrong after the operation was started. */
        FAILED(500);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    /** The operation ran in this request, as its first attempt. */
    public static ServiceReply executed(byte[] outcome) {
        return new ServiceReply(Kind.EXECUTED, outcome, 1);
    }

    public static ServiceReply replayed(byte[] outcome) {
        return new ServiceReply(Kind.REPLAYED, outcome, 0);
    }

    public static ServiceReply of(Kind kind) {
        return new ServiceReply(kind, new byte[0], 0);
    }

    public static ServiceReply failed(Kind kind, Throwable failure) {
        return new ServiceReply(kind, String.valueOf(failure).getBytes(StandardCharsets.UTF_8), 0);
    }
}
