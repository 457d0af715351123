package dev.semel.http.dialect;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the signatures of requests, for dialects that have them.
 *
 * @param scheme how they are signed; {@code null} if they are not
 */
public record SignatureCheck(@Nullable SignatureScheme scheme, List<byte[]> keys) {

    /** @param secrets as providers show them; one of them has made the signature */
    public static SignatureCheck of(Dialect dialect, List<String> secrets) {
        SignatureScheme scheme = dialect.signatures();
        if ((scheme == null) != secrets.isEmpty()) {
            throw new IllegalArgumentException(
                    scheme == null
                            ? "dialect " + dialect + " has no signatures, but signature secrets are set: remove"
                                    + " the secrets, or choose a webhook dialect"
                            : "requests in dialect " + dialect + " are signed: set the secrets of their signatures");
        }
        return new SignatureCheck(
                scheme,
                scheme == null ? List.of() : secrets.stream().map(scheme::key).toList());
    }

    /** Whether requests have to be signed, so that their sender is known. */
    public boolean isNeeded() {
        return scheme != null;
    }

    /** Whether a request is signed as it has to be. */
    public boolean accepts(SignatureScheme.Headers headers, byte[] body, Instant now) {
        return scheme == null || scheme.isSigned(headers, body, keys, now);
    }
}
