/** Who may read the files of the gateway. */
@NullMarked
package dev.semel.gateway.files;

import org.jspecify.annotations.NullMarked;
