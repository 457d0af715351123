package dev.semel.gateway.access;

import dev.semel.gateway.files.SecretFile;
import dev.semel.spi.DecisionLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the admin address. A file of them has a line for each: a name, its roles, and the token or its SHA-256.
 *
 * <pre>
 * # name        roles           token
 * alice         operate,erase   sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 * prometheus    metrics         sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
 * sso           proxy           sha256:fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13
 * </pre>
 */
public final class AccessTokens {

    /** The headers in which a proxy names the person of a request, and the person's roles. */
    public static final String USER_HEADER = "Semel-User";

    public static final String ROLES_HEADER = "Semel-Roles";

    private static final String DIGEST = "sha256:";
    private static final String PROXY = "proxy";
    private static final int SHA256_HEX = 64;
    private static final int MIN_TOKEN = 20;
    private static final long MAX_FILE = 1 << 20;

    private final List<AccessToken> tokens;

    private AccessTokens(List<AccessToken> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    /** Tokens with a single token that has all roles. */
    public static AccessTokens single(String token) {
        return new AccessTokens(List.of(new AccessToken("admin", Role.ALL, false, AccessToken.digest(token))));
    }

    /** Reads a file; throws an {@link IllegalArgumentException} that names the line if it is wrong. */
    public static AccessTokens read(Path file) throws IOException {
        if (Files.size(SecretFile.require(file)) > MAX_FILE) {
            throw new IllegalArgumentException(
                    file + " is larger than " + MAX_FILE + " bytes: it needs a line for a token");
        }
        List<AccessToken> tokens = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (!line.isBlank() && !line.strip().startsWith("#")) {
                try {
                    tokens.add(parse(line.strip()));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(file + " line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        if (tokens.isEmpty()) {
            throw new IllegalArgumentException(file + " has no token: write a line NAME ROLES TOKEN for each");
        }
        return new AccessTokens(tokens);
    }

    private static AccessToken parse(String line) {
        String[] parts = line.split("\\s+");
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "expected NAME ROLES TOKEN, three words, got " + parts.length + " (a name has no spaces)");
        }
        String name = new DecisionLog.Person(parts[0], null).name();
        boolean proxy = parts[1].equals(PROXY);
        return new AccessToken(name, proxy ? Set.of() : roles(parts[1]), proxy, secret(parts[2]));
    }

    private static Set<Role> roles(String text) {
        EnumSet<Role> roles = EnumSet.noneOf(Role.class);
        for (String each : text.split(",")) {
            roles.add(Role.find(each)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "a role is metrics, read, operate, erase or, alone, proxy; got \"" + each + "\"")));
        }
        return Role.withIncluded(roles);
    }

    /** Never says what the token is. */
    private static byte[] secret(String text) {
        if (!text.startsWith(DIGEST)) {
            if (text.length() < MIN_TOKEN) {
                throw new IllegalArgumentException("a token needs at least " + MIN_TOKEN + " characters, this one has "
                        + text.length() + ": make one with openssl rand -base64 24");
            }
            return AccessToken.digest(text);
        }
        String hex = text.substring(DIGEST.length());
        if (hex.length() != SHA256_HEX) {
            throw new IllegalArgumentException(
                    "sha256: needs " + SHA256_HEX + " hexadecimal digits, got " + hex.length());
        }
        try {
            return HexFormat.of().parseHex(hex);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("sha256: needs hexadecimal digits only", e);
        }
    }

    /** These tokens and others. */
    public AccessTokens and(AccessTokens others) {
        List<AccessToken> all = new ArrayList<>(tokens);
        all.addAll(others.tokens);
        return new AccessTokens(all);
    }

    /** Whether different people can decide; a proxy counts as several people. */
    public boolean hasSeveralPeople() {
        return tokens.stream().anyMatch(AccessToken::isProxy)
                || tokens.stream().map(AccessToken::name).distinct().count() > 1;
    }

    /**
     * The owner of this token, or {@code null} if it is unknown.
     *
     * @param user the person that the request names, which only a proxy is trusted to do
     * @param roles the roles of that person; unknown words are groups of other systems
     */
    public @Nullable Visitor visitor(String token, String address, @Nullable String user, @Nullable String roles) {
        byte[] shown = AccessToken.digest(token);
        AccessToken found = null;
        for (AccessToken each : tokens) {
            // All of them, so that the time it takes says nothing.
            if (MessageDigest.isEqual(each.sha256(), shown)) {
                found = each;
            }
        }
        if (found == null) {
            return null;
        }
        if (!found.isProxy()) {
            return new Visitor(new DecisionLog.Person(found.name(), address), found.roles());
        }
        return new Visitor(
                new DecisionLog.Person(user == null || user.isBlank() ? found.name() : user, address),
                user == null || user.isBlank() || roles == null ? Set.of() : named(roles));
    }

    private static Set<Role> named(String roles) {
        Set<Role> known = Arrays.stream(roles.split("[,\\s]+"))
                .flatMap(word -> Role.find(word).stream())
                .collect(Collectors.toSet());
        return Role.withIncluded(known);
    }

    @Override
    public String toString() {
        return tokens.toString();
    }
}
