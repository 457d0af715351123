/**
 * Tools to test a store, and services that use one: the {@link dev.semel.testkit.StoreContract contract} that every
 * store passes, races, faults, a settable clock, and a checker of histories.
 */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;
