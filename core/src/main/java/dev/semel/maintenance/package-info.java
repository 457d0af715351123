/** Periodic work: resolving lapsed keys, purging expired ones. Internal: not for users. */
@NullMarked
package dev.semel.maintenance;

import org.jspecify.annotations.NullMarked;
