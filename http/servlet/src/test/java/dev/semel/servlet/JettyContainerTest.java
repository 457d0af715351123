package dev.semel.servlet;

class JettyContainerTest extends ServletConformance {

    @Override
    TestServer start() throws Exception {
        return new JettyServer(ErrorRendering.CONTAINER, true);
    }
}
