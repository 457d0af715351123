/** Request and response bodies up to a limit, in memory or in files; for adapters. Internal. */
@NullMarked
package dev.semel.http.spool;

import org.jspecify.annotations.NullMarked;
