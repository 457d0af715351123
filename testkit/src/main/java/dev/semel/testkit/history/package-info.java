/** Histories of requests and answers, and a checker that finds broken guarantees in them. */
@NullMarked
package dev.semel.testkit.history;

import org.jspecify.annotations.NullMarked;
