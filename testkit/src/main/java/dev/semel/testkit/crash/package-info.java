/** Load on a store while its servers, or the processes that use it, are killed. */
@NullMarked
package dev.semel.testkit.crash;

import org.jspecify.annotations.NullMarked;
