package dev.semel.torture.node;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** The JDK's own HTTP server in front of a service that calls the system under test itself. */
record PlainNode(HttpServer server) implements NodeServer {

    private static final int THREADS = 64;
    private static final int GRACE_SECONDS = 2;

    static PlainNode start(RunHandler.Service service, ControlHandler control) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/run", new RunHandler(service));
        server.createContext("/control", control);
        server.start();
        return new PlainNode(server);
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(GRACE_SECONDS);
    }
}
