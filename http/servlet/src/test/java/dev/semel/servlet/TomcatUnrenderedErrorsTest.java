package dev.semel.servlet;

class TomcatUnrenderedErrorsTest extends UnrenderedErrors {

    @Override
    TestServer start() throws Exception {
        return new TomcatServer(ErrorRendering.CONTAINER, false);
    }
}
