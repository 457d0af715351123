package dev.semel.gateway.config;

import dev.semel.gateway.access.AccessTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The admin address, and what protects it.
 *
 * @param tls {@code null} for plain HTTP
 * @param token the token with all roles, or {@code null} if there are only {@code --admin-tokens}
 * @param generated whether that token was made for this start, because none was configured
 * @param tokens all tokens, that one included
 * @param fourEyes the decisions that need two people
 * @param traceUrl the URL of a trace, with the placeholder {@code {traceId}}, or {@code null}
 */
public record Admin(
        Address address,
        @Nullable Tls tls,
        @Nullable String token,
        boolean generated,
        AccessTokens tokens,
        Set<FourEyes> fourEyes,
        @Nullable String traceUrl) {

    /** A decision that may need two people. */
    public enum FourEyes {
        RELEASE,
        ERASE;

        static FourEyes parse(String text) {
            return Arrays.stream(values())
                    .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("expected release or erase, got \"" + text + "\""));
        }
    }

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
        Optional<AccessTokens> named = settings.optional(Setting.ADMIN_TOKENS, Admin::readTokens);
        if (!address.isLoopback()) {
            requireProtection(settings, address, tls, token.isPresent() || named.isPresent());
        }
        boolean generated = token.isEmpty() && named.isEmpty();
        String single = generated ? newToken() : token.orElse(null);
        AccessTokens tokens = single == null
                ? named.orElseThrow()
                : named.map(AccessTokens.single(single)::and).orElseGet(() -> AccessTokens.single(single));
        return Optional.of(new Admin(
                address,
                address.isLoopback() ? null : tls,
                single,
                generated,
                tokens,
                fourEyes(settings, tokens),
                settings.optional(Setting.TRACE_URL, Admin::traceUrl).orElse(null)));
    }

    private static String traceUrl(String text) {
        if (!text.matches("https?://\\S+") || !text.contains("{traceId}")) {
            throw new IllegalArgumentException(
                    "expected an http or https URL with {traceId} in it, got \"" + text + "\"");
        }
        return text;
    }

    private static AccessTokens readTokens(String file) {
        try {
            return AccessTokens.read(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
        }
    }

    private static Set<FourEyes> fourEyes(Settings settings, AccessTokens tokens) {
        Set<FourEyes> decisions = settings.list(
                Setting.FOUR_EYES,
                texts -> texts.stream().map(FourEyes::parse).collect(Collectors.toUnmodifiableSet()));
        if (!decisions.isEmpty() && !tokens.hasSeveralPeople()) {
            throw settings.complaint(
                    Setting.FOUR_EYES,
                    "a second person must be able to agree: give at least two people a token of their own with"
                            + " --admin-tokens");
        }
        return decisions;
    }

    private static void requireProtection(Settings settings, Address address, @Nullable Tls tls, boolean hasToken) {
        if (!hasToken) {
            throw settings.complaint(
                    Setting.ADMIN,
                    "the admin address " + address + " can be reached from other machines, where it shows stored"
                            + " responses and resolves keys: set --admin-token (or SEMEL_ADMIN_TOKEN) or --admin-tokens, or use a"
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
     * The link to the console that listens on this port. A generated token is part of the link, behind a {@code #},
     * which browsers never send.
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
