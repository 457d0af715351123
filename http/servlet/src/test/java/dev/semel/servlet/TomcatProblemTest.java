package dev.semel.servlet;

class TomcatProblemTest extends ServletConformance {

    @Override
    TestServer start() throws Exception {
        return new TomcatServer(ErrorRendering.PROBLEM, false);
    }
}
