package dev.semel.attack;

import dev.semel.attack.lab.Answer;
import dev.semel.attack.lab.CountingUpstream;
import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.PacedCaller;
import dev.semel.attack.lab.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** A gateway that the user has started and named. */
final class NamedGateway {

    private NamedGateway() {}

    /** Asks on the terminal. */
    static boolean confirmed(PrintWriter out, URI url) throws IOException {
        address(url);
        out.print("Attack the gateway at " + url + ", and disturb its users? [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        return answer != null && (answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes"));
    }

    /** Checks that the gateway is on the loopback, and that it is in front of the service that counts. */
    static Lab lab(URI url, int upstreamPort, @Nullable URI adminUrl, String adminToken) throws IOException {
        Target target = new Target(
                address(url),
                port(url),
                url.getScheme().equals("https"),
                adminUrl == null || !address(adminUrl).isLoopbackAddress() ? 0 : port(adminUrl),
                adminUrl != null && adminUrl.getScheme().equals("https"),
                adminToken);
        CountingUpstream upstream = new CountingUpstream(upstreamPort);
        Lab lab = Lab.of(target, upstream);
        try {
            Answer answer = PacedCaller.chargeOnce(target);
            if (answer.status() != 201 || !answer.body().contains("\"run\":1")) {
                throw new IOException("a request with \"" + PacedCaller.CREDENTIAL + "\" and a key got " + answer
                        + " from " + url + ": start the gateway with --scope credential --upstream http://127.0.0.1:"
                        + upstreamPort);
            }
            return lab;
        } catch (IOException e) {
            lab.close();
            throw e;
        }
    }

    private static InetAddress address(URI url) throws UnknownHostException {
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw new IllegalArgumentException("expected http://HOST:PORT or https://HOST:PORT, got \"" + url + "\"");
        }
        for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
            if (!address.isLoopbackAddress()) {
                throw new IllegalArgumentException(url + " is not on the loopback of this machine (" + url.getHost()
                        + " is " + address.getHostAddress() + "): nothing else is ever attacked");
            }
        }
        return InetAddress.getByName(url.getHost());
    }

    private static int port(URI url) {
        return url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
    }
}
