/** A filter for Jakarta Servlet containers: {@link dev.semel.servlet.SemelFilter}. */
@NullMarked
package dev.semel.servlet;

import org.jspecify.annotations.NullMarked;
