/** Servers for the tests of all modules, each on a free port of the loopback interface. */
@NullMarked
package dev.semel.testservers;

import org.jspecify.annotations.NullMarked;
