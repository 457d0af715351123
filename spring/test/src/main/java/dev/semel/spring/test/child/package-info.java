/** Code that runs inside the application under test. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.test.child;

import org.jspecify.annotations.NullMarked;
