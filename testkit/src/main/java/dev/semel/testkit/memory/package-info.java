/** A store in memory whose writes take part in transactions, for tests without a database that can keep keys. */
@NullMarked
package dev.semel.testkit.memory;

import org.jspecify.annotations.NullMarked;
