package dev.semel.sqs;

import dev.semel.KeyDigest;
import dev.semel.messaging.Verdict;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A message that will never be handled, and why.
 *
 * @param digest the name of its key in the store
 * @param type the class name of the exception that says why
 */
public record DeadLetter(
        Message message, String operation, KeyDigest digest, Verdict.Reason reason, String type, String text) {}
