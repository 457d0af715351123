package dev.semel.gateway.config;

import java.nio.file.Path;

/** The certificate chain and private key, both in PEM, that clients see. */
public record Tls(Path certificate, Path key) {}
