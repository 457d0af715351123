/**
 * The HTTP protocol as tests against a running server: an adapter serves {@link dev.semel.testkit.http.SampleService}
 * under the rules of {@link dev.semel.testkit.http.Endpoint}, and extends
 * {@link dev.semel.testkit.http.HttpConformance}.
 */
@NullMarked
package dev.semel.testkit.http;

import org.jspecify.annotations.NullMarked;
