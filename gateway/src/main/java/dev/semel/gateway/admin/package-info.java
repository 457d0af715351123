/** The second address: the console's files, and the API that it and scripts use. */
@NullMarked
package dev.semel.gateway.admin;

import org.jspecify.annotations.NullMarked;
