/** What each kind of database implements: its statements for keys, and how it fails. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
