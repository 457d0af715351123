package dev.semel.testkit.history;

import dev.semel.Key;

/**
 * One line of an effect ledger: a real effect of an operation, as recorded by the affected system and not by Semel.
 *
 * @param request the request in whose run it happened
 * @param attempt the attempt's number
 * @param token the attempt's fencing token
 */
public record Effect(Key key, String request, int attempt, long token) {

    @Override
    public String toString() {
        return "effect of " + request + ", attempt " + attempt + ", token " + token;
    }
}
