/** {@code semel plan}: what it takes to protect so many requests. */
@NullMarked
package dev.semel.cli.plan;

import org.jspecify.annotations.NullMarked;
