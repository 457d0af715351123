package dev.semel.client.journal;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The headers that are not written to a file. */
public record SecretHeaders(Set<String> more) {

    private static final List<String> PARTS =
            List.of("auth", "cookie", "token", "secret", "password", "credential", "signature", "api-key", "apikey");

    public boolean contains(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return more.contains(lower) || PARTS.stream().anyMatch(lower::contains);
    }
}
