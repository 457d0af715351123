/**
 * What applications use: keys, operations, the engine {@link dev.semel.Semel} and what it answers. Policies are in
 * {@link dev.semel.policy}, events and tracing in {@link dev.semel.observe}, the failures of stores in
 * {@link dev.semel.store}; what a store implements is in {@link dev.semel.spi}.
 */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;
