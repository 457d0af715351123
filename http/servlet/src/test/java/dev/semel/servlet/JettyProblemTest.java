package dev.semel.servlet;

class JettyProblemTest extends ServletConformance {

    @Override
    TestServer start() throws Exception {
        return new JettyServer(ErrorRendering.PROBLEM, false);
    }
}
