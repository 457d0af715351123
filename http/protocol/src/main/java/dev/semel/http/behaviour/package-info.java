/** Finds callers that use keys in a way that does not protect them: {@link dev.semel.http.behaviour.ClientBehaviour}. */
@NullMarked
package dev.semel.http.behaviour;

import org.jspecify.annotations.NullMarked;
