package dev.semel.quarkus.it;

import io.quarkus.test.junit.QuarkusTest;

/** The protocol on resource methods that run on worker threads. */
@QuarkusTest
class BlockingConformanceTest extends QuarkusConformance {}
