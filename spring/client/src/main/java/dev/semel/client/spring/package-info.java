/** Keys and safe retries for Spring's {@code RestClient} and {@code WebClient}. */
@NullMarked
package dev.semel.client.spring;

import org.jspecify.annotations.NullMarked;
