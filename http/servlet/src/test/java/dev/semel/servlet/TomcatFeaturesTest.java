package dev.semel.servlet;

class TomcatFeaturesTest extends ServletFeatures {

    @Override
    TestServer start() throws Exception {
        return new TomcatServer(ErrorRendering.PROBLEM, false);
    }
}
