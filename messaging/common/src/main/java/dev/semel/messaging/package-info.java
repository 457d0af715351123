/** What the consumers of all brokers have in common: handlers, and what becomes of a message. */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
