package dev.semel.client.journal;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which headers are not written to a file. */
public final class SecretHeaders {

    private static final List<String> PARTS =
            List.of("auth", "cookie", "token", "secret", "password", "credential", "signature", "api-key", "apikey");

    private final Set<String> more;

    public SecretHeaders(Set<String> more) {
        this.more = more;
    }

    public boolean contains(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return more.contains(lower) || PARTS.stream().anyMatch(lower::contains);
    }
}
