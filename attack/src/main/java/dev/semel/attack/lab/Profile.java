package dev.semel.attack.lab;

import java.util.ArrayList;
import java.util.List;

/** How a gateway is set up for the attacks that need it so; everything else has its default. */
public enum Profile {
    /** HTTP/1.1, and the caller is the owner of a credential. */
    PLAIN("--scope credential --admin-token " + Profile.ADMIN_TOKEN),
    /** The same with TLS, and so with HTTP/2. */
    TLS(PLAIN.options),
    /** The caller is the subject of a signed token. */
    JWT("--scope jwt:sub --jwt-issuer " + Tokens.ISSUER + " --jwt-audience " + Tokens.AUDIENCE + " --admin-token "
            + Profile.ADMIN_TOKEN),
    /** The caller is named by a proxy on another machine, so that no client on this one may name it. */
    HEADER("--scope header:X-User --trusted-proxies 192.0.2.0/24 --admin-token " + Profile.ADMIN_TOKEN),
    /** The service sees the client's host, and no admin token is set. */
    HOST("--scope credential --preserve-host true");

    /** Known to the attacker only where an attack says so. */
    public static final String ADMIN_TOKEN = "attack-admin-token-0123456789abcdef";

    /** Routes, and a base path that nothing may leave. */
    static final String FILE = """
            upstream: http://127.0.0.1:%d/api
            listen: 127.0.0.1:0
            admin: 127.0.0.1:0
            routes:
              - path: /search/**
                protect: false
              - path: /charges/**
                require-key: true
            """;

    private final String options;

    Profile(String options) {
        this.options = options;
    }

    /** Whether a credential is all that the well-behaved caller needs. */
    public boolean servesCredentials() {
        return options.startsWith("--scope credential");
    }

    /** The options of {@code semel serve}, with the files that they name. */
    List<String> options(Certificate certificate, Tokens tokens) {
        List<String> all = new ArrayList<>(List.of(options.split(" ")));
        if (this == TLS) {
            all.addAll(List.of("--tls-cert", certificate.certificate(), "--tls-key", certificate.key()));
        } else if (this == JWT) {
            all.addAll(List.of("--jwt-key", tokens.keyFile()));
        }
        return all;
    }
}
