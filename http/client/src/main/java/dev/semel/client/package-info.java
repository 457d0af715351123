/**
 * The client side: a key for each operation, retries that cannot apply it twice, and a journal that survives a crash.
 */
@NullMarked
package dev.semel.client;

import org.jspecify.annotations.NullMarked;
