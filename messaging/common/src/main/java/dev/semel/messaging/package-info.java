/** The common part of the consumers of all brokers: handlers and verdicts. */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
