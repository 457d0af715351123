/** What runs inside the application that is to crash. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.test.child;

import org.jspecify.annotations.NullMarked;
