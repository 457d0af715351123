package dev.semel.gateway.admin;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;

/** The connections of the admin address. */
public interface AdminConnections {

    void opened(HttpConnection connection);

    /** Notes that a request is under way, until its response has ended or its connection is gone. */
    void began(HttpServerRequest request);

    /** Notes whether the last token on this connection was the right one. */
    void trust(HttpConnection connection, boolean trusted);

    boolean isTrusted(HttpConnection connection);
}
