/** What applications use: keys, policies, the engine {@link dev.semel.Semel} and what it answers. */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;
