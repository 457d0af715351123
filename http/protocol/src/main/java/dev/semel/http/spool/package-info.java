/** Request and response bodies up to a limit, in memory or in files: for the adapters of Semel, not for applications. */
@NullMarked
package dev.semel.http.spool;

import org.jspecify.annotations.NullMarked;
