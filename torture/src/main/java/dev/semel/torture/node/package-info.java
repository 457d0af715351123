/** One node of the service that is tortured: a process of its own, which may die at any moment. */
@NullMarked
package dev.semel.torture.node;

import org.jspecify.annotations.NullMarked;
