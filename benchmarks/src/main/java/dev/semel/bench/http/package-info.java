/** What the servlet filter and the gateway add to a request. */
@NullMarked
package dev.semel.bench.http;

import org.jspecify.annotations.NullMarked;
