/** The reverse proxy: everything between a client's socket and the upstream's. */
@NullMarked
package dev.semel.gateway;

import org.jspecify.annotations.NullMarked;
