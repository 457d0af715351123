/**
 * Resource methods that are safe to retry: mark them with {@link dev.semel.rest.Idempotent}, and register a
 * {@link dev.semel.rest.SemelFeature}.
 */
@NullMarked
package dev.semel.rest;

import org.jspecify.annotations.NullMarked;
