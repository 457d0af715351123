/** Access control for the admin address. */
@NullMarked
package dev.semel.gateway.access;

import org.jspecify.annotations.NullMarked;
