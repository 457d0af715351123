/** How an operation is made safe to retry: policies, and what they are made of. */
@NullMarked
package dev.semel.policy;

import org.jspecify.annotations.NullMarked;
