/** A small payments service behind the gateway, to see it at work. */
@NullMarked
package dev.semel.demo;

import org.jspecify.annotations.NullMarked;
