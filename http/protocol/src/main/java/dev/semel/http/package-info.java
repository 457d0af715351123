/**
 * The protocol of idempotency keys over HTTP, for any server: {@link dev.semel.http.HttpGate} decides, an adapter for a
 * framework reads requests and writes answers.
 */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
