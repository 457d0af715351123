/** A running gateway: {@link dev.semel.gateway.Gateway} puts the proxy, the engine and the admin server together. */
@NullMarked
package dev.semel.gateway;

import org.jspecify.annotations.NullMarked;
