package dev.semel.http;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.shadow.ShadowFinding;
import java.time.Duration;

/** Something that the HTTP layer knows about a request. The engine reports what happens to its key. */
public sealed interface HttpEvent {

    String operation();

    /** The request has no key and needs none: it passes through without protection. */
    record Unprotected(String operation) implements HttpEvent {}

    /** The request was refused before its key was claimed, and nothing was run. */
    record Refused(String operation, ProblemType problem) implements HttpEvent {}

    /** The request was not run to its end, through no fault of its own, and the answer says so: for example, the store did not answer. */
    record Failed(String operation, ProblemType problem) implements HttpEvent {}

    /** A request is about to claim its key. */
    record Arrived(String operation, Key key, Fingerprint fingerprint) implements HttpEvent {}

    /** A caller got a stored response, of its key: what an audit log wants to know. */
    record Replayed(String operation, Key key) implements HttpEvent {}

    /** A caller did not get a stored response of its key, because a {@link dev.semel.http.stored.ReplayHook} refused it. */
    record ReplayDenied(String operation, Key key) implements HttpEvent {}

    /** The request was refused because its key belongs to another request. */
    record KeyReused(String operation, Key key) implements HttpEvent {}

    /** The request ran in shadow mode, and this was found out about it. */
    record Shadowed(String operation, ShadowFinding finding) implements HttpEvent {}

    /** The request was asked to come again with the same key after some time. */
    record ToldToRetry(String operation, Key key, Duration after) implements HttpEvent {}
}
