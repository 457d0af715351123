/** The tools of contract tests: nodes of the store, fresh keys, claims and time. Internal. */
@NullMarked
package dev.semel.testkit.contract.support;

import org.jspecify.annotations.NullMarked;
