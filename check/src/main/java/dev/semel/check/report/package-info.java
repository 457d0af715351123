/** The reports of a check: for a terminal, a browser, a build server and programs. */
@NullMarked
package dev.semel.check.report;

import org.jspecify.annotations.NullMarked;
