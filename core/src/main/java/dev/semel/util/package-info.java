/** Helpers of the core: checks, digests, threads, and what is inside an exception. Internal: not for users. */
@NullMarked
package dev.semel.util;

import org.jspecify.annotations.NullMarked;
