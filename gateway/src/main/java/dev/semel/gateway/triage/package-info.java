/** Finds the keys that need somebody, and applies what people decide about them: for the console, its API and the command line. */
@NullMarked
package dev.semel.gateway.triage;

import org.jspecify.annotations.NullMarked;
