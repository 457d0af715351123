package dev.semel.servlet;

class TomcatCheckTest extends ServletCheck {

    @Override
    TestServer start() throws Exception {
        return new TomcatServer(ErrorRendering.PROBLEM, false);
    }
}
