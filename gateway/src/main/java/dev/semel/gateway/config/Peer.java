package dev.semel.gateway.config;

import dev.semel.check.Secrets;
import java.net.URI;

/**
 * Another gateway.
 *
 * @param address its admin address
 */
public record Peer(boolean tls, Address address) {

    static Peer parse(String text) {
        URI url = Parse.url(text);
        boolean root = url.getRawPath().isEmpty() || url.getRawPath().equals("/");
        if (!root || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("expected the admin address of a gateway, such as"
                    + " http://10.0.0.12:8081, got \"" + Secrets.url(text) + "\"");
        }
        return new Peer(Parse.isTls(url), Parse.address(url));
    }

    /** Its URL, without a path. */
    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + address;
    }
}
