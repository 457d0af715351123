package dev.semel.testkit.http;

import dev.semel.Header;
import java.util.List;

/**
 * A response of the sample application.
 *
 * @param chunks the body, to be written and flushed piece by piece
 * @param error whether the status is to be sent the way the framework does for errors, which makes a body of its own
 */
public record SampleResponse(int status, List<Header> headers, List<byte[]> chunks, boolean error) {}
