/** What makes two requests the same: canonical targets and content, and digests of them. Internal. */
@NullMarked
package dev.semel.http.fingerprint;

import org.jspecify.annotations.NullMarked;
