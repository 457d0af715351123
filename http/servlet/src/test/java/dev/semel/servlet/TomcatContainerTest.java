package dev.semel.servlet;

class TomcatContainerTest extends ServletConformance {

    @Override
    TestServer start() throws Exception {
        return new TomcatServer(ErrorRendering.CONTAINER, true);
    }
}
