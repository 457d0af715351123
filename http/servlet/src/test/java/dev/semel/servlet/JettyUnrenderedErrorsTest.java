package dev.semel.servlet;

class JettyUnrenderedErrorsTest extends UnrenderedErrors {

    @Override
    TestServer start() throws Exception {
        return new JettyServer(ErrorRendering.CONTAINER, false);
    }
}
