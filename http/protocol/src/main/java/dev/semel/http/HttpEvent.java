package dev.semel.http;

/** Something that happened to a request before its key was claimed. What happens after that is told by the engine. */
public sealed interface HttpEvent {

    String operation();

    /** The request has no key and needs none: it passes through without protection. */
    record Unprotected(String operation) implements HttpEvent {}

    /** The request was refused and nothing was run. */
    record Refused(String operation, ProblemType problem) implements HttpEvent {}
}
