package dev.semel.messaging;

import dev.semel.KeyDigest;

/**
 * A message that will never be handled, with the reason.
 *
 * @param <M> the broker's own type of message
 * @param message the message as it was received, byte for byte
 * @param digest the digest of its key in the store
 * @param type the class name of the exception that says why
 * @param text the message of that exception
 */
public record DeadLetter<M>(
        M message, String operation, KeyDigest digest, MessageVerdict.Reason reason, String type, String text) {}
