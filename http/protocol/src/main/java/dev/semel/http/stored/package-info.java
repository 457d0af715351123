/** Redaction of stored responses, and the hook before a replay. */
@NullMarked
package dev.semel.http.stored;

import org.jspecify.annotations.NullMarked;
