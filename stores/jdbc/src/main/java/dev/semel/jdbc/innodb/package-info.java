/** MariaDB and MySQL. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.innodb;

import org.jspecify.annotations.NullMarked;
