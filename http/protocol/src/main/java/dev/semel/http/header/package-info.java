/** The header fields of the protocol, parsed and written. Internal. */
@NullMarked
package dev.semel.http.header;

import org.jspecify.annotations.NullMarked;
