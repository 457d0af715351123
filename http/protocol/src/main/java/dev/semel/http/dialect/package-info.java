/**
 * The dialects of different APIs: the header of the key, and the status, body and headers of refusals and replays.
 * {@link dev.semel.http.dialect.Dialect} is data; the rest of the protocol reads it.
 */
@NullMarked
package dev.semel.http.dialect;

import org.jspecify.annotations.NullMarked;
