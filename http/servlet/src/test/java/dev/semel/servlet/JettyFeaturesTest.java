package dev.semel.servlet;

class JettyFeaturesTest extends ServletFeatures {

    @Override
    TestServer start() throws Exception {
        return new JettyServer(ErrorRendering.PROBLEM, false);
    }
}
