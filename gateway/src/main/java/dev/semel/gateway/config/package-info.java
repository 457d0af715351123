/** The configuration of the gateway: options of the command line and of a YAML file, read, checked and given types. */
@NullMarked
package dev.semel.gateway.config;

import org.jspecify.annotations.NullMarked;
