/** What is stored of a response, and who gets it again. */
@NullMarked
package dev.semel.http.stored;

import org.jspecify.annotations.NullMarked;
