/** Keys in an etcd cluster. */
@NullMarked
package dev.semel.etcd;

import org.jspecify.annotations.NullMarked;
