package dev.semel.gateway.config;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The admin address, and what protects it.
 *
 * @param tls {@code null} for plain HTTP
 * @param token what every request for keys, figures and decisions must show
 * @param generated whether the token was made for this start, because none was configured
 */
public record Admin(Address address, @Nullable Tls tls, String token, boolean generated) {

    private static final int TOKEN_BYTES = 24;

    static Optional<Admin> of(Settings settings, Address listen, @Nullable Tls tls) {
        Optional<Address> found = settings.get(
                Setting.ADMIN,
                text -> Optional.of(text).filter(on -> !on.equals("off")).map(Address::parse));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Address address = found.get();
        if (address.clashesWith(listen)) {
            throw settings.complaint(
                    Setting.ADMIN,
                    "the admin address " + address + " and the address of the proxy, --listen " + listen
                            + ", are the same: give one of them another port");
        }
        Optional<String> token = settings.optional(Setting.ADMIN_TOKEN, text -> text)
                .or(() -> Optional.ofNullable(System.getenv("SEMEL_ADMIN_TOKEN")))
                .filter(text -> !text.isBlank());
        if (!address.isLoopback()) {
            requireProtection(settings, address, tls, token.isPresent());
        }
        return Optional.of(new Admin(
                address, address.isLoopback() ? null : tls, token.orElseGet(Admin::newToken), token.isEmpty()));
    }

    private static void requireProtection(Settings settings, Address address, @Nullable Tls tls, boolean hasToken) {
        if (!hasToken) {
            throw settings.complaint(
                    Setting.ADMIN,
                    "the admin address " + address + " can be reached from other machines, where it shows stored"
                            + " responses and resolves keys: set --admin-token (or SEMEL_ADMIN_TOKEN), or use a"
                            + " loopback address");
        }
        if (tls == null && !settings.get(Setting.ADMIN_PLAIN_HTTP, Parse::bool)) {
            throw settings.complaint(
                    Setting.ADMIN,
                    "the admin address " + address
                            + " can be reached from other machines without TLS, so that anybody on"
                            + " the way can read the token and stored responses: set --tls-cert and --tls-key, use a"
                            + " loopback address, or set --admin-plain-http if the network is trusted");
        }
    }

    private static String newToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /**
     * Where a browser finds the console that listens on this port. A generated token is part of the link, behind a {@code #},
     * which browsers send to nobody.
     */
    public String link(int port) {
        return (tls == null ? "http://" : "https://") + new Address(address.host(), port) + "/"
                + (generated ? "#token=" + token : "");
    }

    /** Without the token, which belongs in no log. */
    @Override
    public String toString() {
        return address.toString();
    }
}
