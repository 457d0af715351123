package dev.semel.grpc;

import dev.semel.Header;
import dev.semel.http.HandlerResponse;
import dev.semel.http.problem.Answer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended, in the form in which responses are stored: the message is the body, and status and trailers are
 * headers.
 */
record StoredResponse(Status status, Metadata trailers) {

    private static final String STATUS = "grpc-status";
    private static final String MESSAGE = "grpc-message";
    private static final String TRAILERS = "grpc-trailers";

    static final String[] HEADERS = {STATUS, MESSAGE, TRAILERS};

    /** Headers of an answer that mean nothing in gRPC. */
    private static final Set<String> HTTP_ONLY =
            Set.of("content-type", "content-language", "cache-control", "retry-after", "link");

    private static final int OK = 200;
    private static final int FIRST_ERROR = 400;

    /** A status for each code, so that rules can tell them apart. */
    static int statusOf(Status.Code code) {
        return code == Status.Code.OK ? OK : FIRST_ERROR + code.value();
    }

    HandlerResponse encode(byte @Nullable [] message, @Nullable Throwable failure) {
        List<Header> headers = new ArrayList<>();
        headers.add(new Header(STATUS, Integer.toString(status.getCode().value())));
        if (status.getDescription() != null) {
            headers.add(new Header(MESSAGE, base64(status.getDescription().getBytes(StandardCharsets.UTF_8))));
        }
        StringJoiner lines = new StringJoiner(",");
        for (String name : trailers.keys()) {
            values(name).forEach(value -> lines.add(name + ":" + base64(value)));
        }
        headers.add(new Header(TRAILERS, lines.toString()));
        return HandlerResponse.of(statusOf(status.getCode()), headers, message).withFailure(failure);
    }

    private List<byte[]> values(String name) {
        List<byte[]> values = new ArrayList<>();
        if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
            Objects.requireNonNull(trailers.getAll(binary(name))).forEach(values::add);
        } else {
            Objects.requireNonNull(trailers.getAll(ascii(name)))
                    .forEach(value -> values.add(value.getBytes(StandardCharsets.US_ASCII)));
        }
        return values;
    }

    /** The status for an answer that is not a problem. */
    static StoredResponse decode(Answer answer) {
        Status status = answer.status() < FIRST_ERROR ? Status.OK : Status.UNKNOWN;
        Metadata trailers = new Metadata();
        for (Header header : answer.headers()) {
            String value = header.value();
            switch (header.name()) {
                case STATUS ->
                    status = Status.fromCodeValue(Integer.parseInt(value)).withDescription(status.getDescription());
                case MESSAGE -> status = status.withDescription(new String(bytes(value), StandardCharsets.UTF_8));
                case TRAILERS -> {
                    for (String line : value.isEmpty() ? new String[0] : value.split(",")) {
                        String[] parts = line.split(":", 2);
                        put(trailers, parts[0], bytes(parts[1]));
                    }
                }
                default -> putAscii(trailers, header);
            }
        }
        return new StoredResponse(status, trailers);
    }

    private static void put(Metadata trailers, String name, byte[] value) {
        if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
            trailers.put(binary(name), value);
        } else {
            trailers.put(ascii(name), new String(value, StandardCharsets.US_ASCII));
        }
    }

    static void putAscii(Metadata trailers, Header header) {
        String name = header.name().toLowerCase(Locale.ROOT);
        if (!HTTP_ONLY.contains(name)) {
            trailers.put(ascii(name), header.value());
        }
    }

    private static Metadata.Key<byte[]> binary(String name) {
        return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    }

    private static Metadata.Key<String> ascii(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }
}
