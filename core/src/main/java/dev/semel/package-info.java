/**
 * The API for applications: keys, operations, the engine {@link dev.semel.Semel} and its results. Policies are in
 * {@link dev.semel.policy}, events and tracing in {@link dev.semel.observe}, the failures of stores in {@link
 * dev.semel.store}; the interfaces for stores are in {@link dev.semel.spi}.
 */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;
