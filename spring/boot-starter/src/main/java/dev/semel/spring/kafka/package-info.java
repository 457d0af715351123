/** Kafka listeners whose records run under keys. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.kafka;

import org.jspecify.annotations.NullMarked;
