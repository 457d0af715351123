/** Parsing of responses for a client that may retry: dates, pauses, problem details. Internal. */
@NullMarked
package dev.semel.client.response;

import org.jspecify.annotations.NullMarked;
