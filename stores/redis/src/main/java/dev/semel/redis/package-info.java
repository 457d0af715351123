/** A store in Redis or Valkey: a single server, Sentinel, or Cluster. */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
