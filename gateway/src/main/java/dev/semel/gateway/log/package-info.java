/** The gateway's log and its formats. */
@NullMarked
package dev.semel.gateway.log;

import org.jspecify.annotations.NullMarked;
