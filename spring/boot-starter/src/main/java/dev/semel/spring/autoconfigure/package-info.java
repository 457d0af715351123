/**
 * The auto-configurations: store, engine, outbox, metrics and endpoint. This package is internal: it may change with
 * any version.
 */
@NullMarked
package dev.semel.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
