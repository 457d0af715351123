/** Requests on their way to the upstream and back, one event loop at a time. */
@NullMarked
package dev.semel.gateway.proxy;

import org.jspecify.annotations.NullMarked;
