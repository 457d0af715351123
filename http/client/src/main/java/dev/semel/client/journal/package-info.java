/** The file under a key journal. Internal. */
@NullMarked
package dev.semel.client.journal;

import org.jspecify.annotations.NullMarked;
