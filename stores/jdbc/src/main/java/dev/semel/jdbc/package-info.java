/** Stores that keep keys in a relational database. */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
