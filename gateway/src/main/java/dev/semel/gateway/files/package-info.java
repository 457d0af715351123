/** Permissions of the gateway's files. */
@NullMarked
package dev.semel.gateway.files;

import org.jspecify.annotations.NullMarked;
