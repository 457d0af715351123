package dev.semel.rabbitmq;

import com.rabbitmq.client.Delivery;
import dev.semel.KeyDigest;
import dev.semel.messaging.Verdict;

/**
 * A message that will never be handled, and why.
 *
 * @param digest the name of its key in the store
 * @param type the class name of the exception that says why
 */
public record DeadLetter(
        Delivery message, String operation, KeyDigest digest, Verdict.Reason reason, String type, String text) {}
