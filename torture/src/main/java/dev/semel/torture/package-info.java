/**
 * Tries to break Semel: starts real servers and nodes, drives load, injects faults, and compares what clients got
 * with what was really done.
 */
@NullMarked
package dev.semel.torture;

import org.jspecify.annotations.NullMarked;
