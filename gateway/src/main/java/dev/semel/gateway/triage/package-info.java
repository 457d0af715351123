/** Finds the keys that need a decision, and applies it: for the console, its API and the command line. */
@NullMarked
package dev.semel.gateway.triage;

import org.jspecify.annotations.NullMarked;
