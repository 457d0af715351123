/** What each caller takes of this gateway, and what it may take. */
@NullMarked
package dev.semel.gateway.quota;

import org.jspecify.annotations.NullMarked;
