/** Who may do what on the admin address. */
@NullMarked
package dev.semel.gateway.access;

import org.jspecify.annotations.NullMarked;
