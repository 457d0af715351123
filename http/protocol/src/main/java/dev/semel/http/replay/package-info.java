/** Answers from the store: replays, and the status resource. Internal. */
@NullMarked
package dev.semel.http.replay;

import org.jspecify.annotations.NullMarked;
