/** Keys in Apache Cassandra, or ScyllaDB. */
@NullMarked
package dev.semel.cassandra;

import org.jspecify.annotations.NullMarked;
