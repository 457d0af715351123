/**
 * How APIs speak of keys: which header carries one, and with which status, body and headers they refuse, answer and mark.
 * {@link dev.semel.http.dialect.Dialect} is data; the rest of the protocol reads it.
 */
@NullMarked
package dev.semel.http.dialect;

import org.jspecify.annotations.NullMarked;
