/**
 * Helpers: checks, digests, times, threads, and unwrapping of exceptions. Internal: not for users, but shared by the
 * modules of Semel.
 */
@NullMarked
package dev.semel.util;

import org.jspecify.annotations.NullMarked;
