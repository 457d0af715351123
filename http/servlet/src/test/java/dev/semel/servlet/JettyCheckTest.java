package dev.semel.servlet;

class JettyCheckTest extends ServletCheck {

    @Override
    TestServer start() throws Exception {
        return new JettyServer(ErrorRendering.PROBLEM, false);
    }
}
