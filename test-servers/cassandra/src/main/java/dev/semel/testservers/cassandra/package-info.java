/** A Cassandra cluster for tests and benchmarks. */
@NullMarked
package dev.semel.testservers.cassandra;

import org.jspecify.annotations.NullMarked;
