/** Ways to make an operation happen once, each behind one interface, so that the same load can drive them all. */
@NullMarked
package dev.semel.bench.design;

import org.jspecify.annotations.NullMarked;
