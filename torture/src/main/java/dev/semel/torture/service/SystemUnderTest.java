package dev.semel.torture.service;

/** Something that claims to make an operation happen once. */
public interface SystemUnderTest extends AutoCloseable {

    /** Runs the operation unless it has run before, and says what the answer is. */
    ServiceReply handle(ServiceRequest request) throws Exception;

    @Override
    void close();
}
