/** What the consumers of all brokers have in common: handlers, and what happens to a message. */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
