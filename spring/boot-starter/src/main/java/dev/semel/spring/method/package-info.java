/** Methods of beans that run under keys. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.method;

import org.jspecify.annotations.NullMarked;
