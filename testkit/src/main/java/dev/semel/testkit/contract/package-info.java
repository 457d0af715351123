/** The tests of the {@link dev.semel.testkit.StoreContract}, one type for each guarantee or capability. Internal. */
@NullMarked
package dev.semel.testkit.contract;

import org.jspecify.annotations.NullMarked;
