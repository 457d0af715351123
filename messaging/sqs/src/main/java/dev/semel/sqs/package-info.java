/** An SQS consumer that acts once on each message. */
@NullMarked
package dev.semel.sqs;

import org.jspecify.annotations.NullMarked;
