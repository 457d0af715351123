/**
 * Helpers: checks, digests, times, threads, and what is inside an exception. Internal: not for users, but shared by the modules of
 * Semel.
 */
@NullMarked
package dev.semel.util;

import org.jspecify.annotations.NullMarked;
