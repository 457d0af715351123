/** Keys and retries for Feign. */
@NullMarked
package dev.semel.client.feign;

import org.jspecify.annotations.NullMarked;
