/** Shadow mode: every request runs, and what would have been replayed or refused is counted for a report. */
@NullMarked
package dev.semel.http.shadow;

import org.jspecify.annotations.NullMarked;
