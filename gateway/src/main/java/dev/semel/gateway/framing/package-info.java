/** Where the messages of a connection end: a check of the gateway's own, in front of the HTTP library's decoder. */
@NullMarked
package dev.semel.gateway.framing;

import org.jspecify.annotations.NullMarked;
