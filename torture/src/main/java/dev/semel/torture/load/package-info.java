/** The clients: what they send, what they got, and how long a recovery took. */
@NullMarked
package dev.semel.torture.load;

import org.jspecify.annotations.NullMarked;
