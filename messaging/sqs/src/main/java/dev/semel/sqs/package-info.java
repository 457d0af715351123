/** A consumer of SQS messages that acts once on each. */
@NullMarked
package dev.semel.sqs;

import org.jspecify.annotations.NullMarked;
