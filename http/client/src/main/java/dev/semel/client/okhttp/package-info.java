/** Keys and retries for OkHttp. */
@NullMarked
package dev.semel.client.okhttp;

import org.jspecify.annotations.NullMarked;
