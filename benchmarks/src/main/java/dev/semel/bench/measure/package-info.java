/** How everything is measured and reported: load, rounds, tables and charts. */
@NullMarked
package dev.semel.bench.measure;

import org.jspecify.annotations.NullMarked;
