package dev.semel.testkit.http;

import dev.semel.Header;
import java.util.List;

/**
 * A response of the sample application.
 *
 * @param chunks the body, to be written and flushed piece by piece
 * @param error whether to send the status as an error of the framework, which then creates the body itself
 */
public record SampleResponse(int status, List<Header> headers, List<byte[]> chunks, boolean error) {}
