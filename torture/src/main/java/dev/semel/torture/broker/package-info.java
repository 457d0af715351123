/** Message brokers as ways in: what the clients send to, and the consumers that a node has. */
@NullMarked
package dev.semel.torture.broker;

import org.jspecify.annotations.NullMarked;
