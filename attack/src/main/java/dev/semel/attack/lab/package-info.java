/** What attacks are made with: exact bytes, frames, a service that counts, and gateways in processes of their own. */
@NullMarked
package dev.semel.attack.lab;

import org.jspecify.annotations.NullMarked;
