/** What rules mean to clients, as OpenAPI. */
@NullMarked
package dev.semel.http.openapi;

import org.jspecify.annotations.NullMarked;
