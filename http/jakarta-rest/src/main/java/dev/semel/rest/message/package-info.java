/** Requests and responses of Jakarta REST as the protocol sees them: internal, shared with Quarkus REST. */
@NullMarked
package dev.semel.rest.message;

import org.jspecify.annotations.NullMarked;
