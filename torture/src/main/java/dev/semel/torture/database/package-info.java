/** The databases that nodes share, each a real server, or several. */
@NullMarked
package dev.semel.torture.database;

import org.jspecify.annotations.NullMarked;
