/** Spring transactions in which outcomes are stored. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.transaction;

import org.jspecify.annotations.NullMarked;
