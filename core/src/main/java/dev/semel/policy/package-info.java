/** Policies: how an operation is made safe to retry. */
@NullMarked
package dev.semel.policy;

import org.jspecify.annotations.NullMarked;
