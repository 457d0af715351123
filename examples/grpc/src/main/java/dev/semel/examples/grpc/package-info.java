/** A payments service that speaks gRPC. */
@NullMarked
package dev.semel.examples.grpc;

import org.jspecify.annotations.NullMarked;
