/** The gateway's own check of where the messages of a connection end, in front of the HTTP library's decoder. */
@NullMarked
package dev.semel.gateway.framing;

import org.jspecify.annotations.NullMarked;
