/**
 * Unary gRPC calls that are safe to retry: {@link dev.semel.grpc.SemelServerInterceptor} on the server,
 * {@link dev.semel.grpc.SemelClientInterceptor} on the client.
 */
@NullMarked
package dev.semel.grpc;

import org.jspecify.annotations.NullMarked;
