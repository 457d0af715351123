/** The client's half: a key for each operation, retries that cannot apply it twice, and a journal that outlives a crash. */
@NullMarked
package dev.semel.client;

import org.jspecify.annotations.NullMarked;
