package dev.semel.gateway.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The address that a server listens on. */
public record Address(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /** Reads {@code HOST:PORT}; an IPv6 address stands in brackets. */
    static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            host = "";
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("expected HOST:PORT such as 127.0.0.1:8080, got \"" + text + "\"");
        }
        int port = Parse.number(text.substring(colon + 1), 0);
        if (port > MAX_PORT) {
            throw new IllegalArgumentException("a port is at most " + MAX_PORT + ", got \"" + text + "\"");
        }
        return new Address(host, port);
    }

    /** Whether the two cannot listen at the same time. Port 0 stands for any that is free. */
    boolean clashesWith(Address other) {
        if (port == 0 || port != other.port) {
            return false;
        }
        if (host.equalsIgnoreCase(other.host)) {
            return true;
        }
        List<InetAddress> mine = resolved();
        List<InetAddress> theirs = other.resolved();
        return mine.stream().anyMatch(InetAddress::isAnyLocalAddress)
                || theirs.stream().anyMatch(InetAddress::isAnyLocalAddress)
                || mine.stream().anyMatch(theirs::contains);
    }

    private List<InetAddress> resolved() {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    /** Whether only this machine can connect. A name that does not resolve is taken for one that others can reach. */
    public boolean isLoopback() {
        List<InetAddress> addresses = resolved();
        return !addresses.isEmpty() && addresses.stream().allMatch(InetAddress::isLoopbackAddress);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
