/** Fingerprints of requests: canonical targets and content, and their digests. Internal. */
@NullMarked
package dev.semel.http.fingerprint;

import org.jspecify.annotations.NullMarked;
