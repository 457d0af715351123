/** {@code semel plan}: the resources for a rate of requests. */
@NullMarked
package dev.semel.cli.plan;

import org.jspecify.annotations.NullMarked;
