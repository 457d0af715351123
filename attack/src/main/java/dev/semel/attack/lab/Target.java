package dev.semel.attack.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Where a gateway listens, always on the loopback.
 *
 * @param adminPort 0 if its admin address is not known
 */
public record Target(InetAddress address, int port, boolean tls, int adminPort, boolean adminTls, String adminToken) {

    private static final int SMALL_BUFFER = 16 << 10;
    private static final SSLContext TRUSTS_ALL = trustsAll();

    public Target {
        if (!address.isLoopbackAddress()) {
            throw new IllegalArgumentException(address + " is not an address of this machine's loopback");
        }
    }

    /** A connection to the proxy, with TLS if it has that. */
    public Wire connect() throws IOException {
        return new Wire(tls ? secure(port, "http/1.1") : plain());
    }

    /** A connection without TLS, whatever the proxy expects. */
    public Socket plain() throws IOException {
        return new Socket(address, port);
    }

    /** A connection whose buffer for answers is small, so that what is not read soon stays with the proxy. */
    public Wire connectToReadLittle() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.connect(new InetSocketAddress(address, port));
        return new Wire(socket);
    }

    public Wire connectAdmin() throws IOException {
        return new Wire(adminTls ? secure(adminPort, "http/1.1") : new Socket(address, adminPort));
    }

    public Http2 connectHttp2() throws IOException {
        return new Http2(secure(port, "h2"));
    }

    private SSLSocket secure(int to, String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) TRUSTS_ALL.getSocketFactory().createSocket(address, to);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        return socket;
    }

    /** The certificate does not matter: nothing here leaves this machine, and what is sent is no secret. */
    private static SSLContext trustsAll() {
        X509TrustManager all = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {all}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }
}
