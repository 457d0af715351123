/** Attacks a gateway on this machine, and judges by what reached the service behind it. */
@NullMarked
package dev.semel.attack;

import org.jspecify.annotations.NullMarked;
