package dev.semel.client;

import java.time.Duration;

/**
 * One request of an operation, and how it ended.
 *
 * @param status the status of the response, or 0 if there was none
 * @param took the time from sending it until its end
 * @param note the client's interpretation, for people
 */
public record RequestAttempt(int status, Duration took, String note) {

    @Override
    public String toString() {
        return (status == 0 ? "no response" : Integer.toString(status)) + " after " + took.toMillis() + " ms: " + note;
    }
}
