/** What is between a node and its database, and can be broken. */
@NullMarked
package dev.semel.torture.wire;

import org.jspecify.annotations.NullMarked;
