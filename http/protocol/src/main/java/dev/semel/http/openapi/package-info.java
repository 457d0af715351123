/** Descriptions of rules for clients, as OpenAPI. */
@NullMarked
package dev.semel.http.openapi;

import org.jspecify.annotations.NullMarked;
