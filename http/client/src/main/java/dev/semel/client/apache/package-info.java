/** Keys and retries for Apache HttpClient 5. */
@NullMarked
package dev.semel.client.apache;

import org.jspecify.annotations.NullMarked;
