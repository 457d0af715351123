/** The cases of {@code semel check} as tests in a team's own build. */
@NullMarked
package dev.semel.testkit.check;

import org.jspecify.annotations.NullMarked;
