package dev.semel.servlet;

import dev.semel.http.ReceiveLimits;
import dev.semel.http.spool.Spool;
import dev.semel.util.LengthPrefixedDigest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request before anything else does. */
final class RequestBody {

    /** What happened to the body. */
    enum Kind {
        /** It is in the spool, from where the handler reads it. */
        SPOOLED,
        /** The container has parsed it and kept its parts or parameters; the spool holds a digest of them. */
        PARSED,
        TOO_LARGE,
        /** It arrives more slowly than it must. */
        TOO_SLOW
    }

    static final String FORM = "application/x-www-form-urlencoded";

    private static final int CHUNK = 8192;

    private RequestBody() {}

    static Kind read(HttpServletRequest request, Spool spool, ReceiveLimits receiving) throws IOException {
        if (isOf(request.getContentType(), "multipart/form-data") && readParts(request, spool)) {
            return Kind.PARSED;
        }
        long announced = request.getContentLengthLong();
        ReceiveLimits.Received received = receiving.receive(request.getInputStream(), announced, spool);
        if (received != ReceiveLimits.Received.WHOLE) {
            return received == ReceiveLimits.Received.TOO_LARGE ? Kind.TOO_LARGE : Kind.TOO_SLOW;
        }
        if (spool.size() == 0 && announced != 0 && isOf(request.getContentType(), FORM)) {
            // An earlier filter that asked for a parameter has let the container read it all.
            return spool.offer(digestOfParameters(request)) ? Kind.PARSED : Kind.TOO_LARGE;
        }
        return Kind.SPOOLED;
    }

    static boolean isOf(@Nullable String contentType, String mediaType) {
        if (contentType == null) {
            return false;
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip().equalsIgnoreCase(mediaType);
    }

    /**
     * Lets the container parse the parts, because that is impossible once the stream has been read. What identifies them is
     * their names, types and content, not the boundary between them, which is new for each try.
     */
    private static boolean readParts(HttpServletRequest request, Spool spool) throws IOException {
        try {
            for (Part part : request.getParts()) {
                String line = String.join(
                        "\n",
                        quoted(part.getName()),
                        quoted(part.getSubmittedFileName()),
                        quoted(part.getContentType()),
                        sha256(part.getInputStream()),
                        "");
                if (!spool.offer(line.getBytes(StandardCharsets.UTF_8))) {
                    throw new IllegalStateException("the request has too many parts");
                }
            }
            return true;
        } catch (ServletException e) {
            throw new IOException("cannot read the parts of the request", e);
        } catch (IllegalStateException e) {
            if (spool.size() > 0) {
                throw e;
            }
            // The servlet has no multipart configuration and reads the body itself.
            return false;
        }
    }

    private static byte[] digestOfParameters(HttpServletRequest request) throws IOException {
        return sha256(new ByteArrayInputStream(
                        listing(request.getParameterMap()).getBytes(StandardCharsets.UTF_8)))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** All parameters, each with its length, so that no two sets of them have the same listing. */
    static String listing(Map<String, String[]> parameters) {
        StringBuilder listing = new StringBuilder();
        parameters.forEach((name, values) -> {
            listing.append(quoted(name)).append('\n').append(values.length).append('\n');
            for (String value : values) {
                listing.append(quoted(value)).append('\n');
            }
        });
        return listing.toString();
    }

    private static String quoted(@Nullable String text) {
        return text == null ? "-" : text.length() + ":" + text;
    }

    private static String sha256(InputStream content) throws IOException {
        try (InputStream in = content) {
            MessageDigest digest = LengthPrefixedDigest.newSha256();
            byte[] chunk = new byte[CHUNK];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                digest.update(chunk, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
