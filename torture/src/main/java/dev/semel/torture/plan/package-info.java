/** What a run is to do, and which kinds of faults there are. */
@NullMarked
package dev.semel.torture.plan;

import org.jspecify.annotations.NullMarked;
