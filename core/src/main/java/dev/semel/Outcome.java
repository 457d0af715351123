package dev.semel;

import dev.semel.util.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of an operation, as it is stored and replayed byte for byte.
 *
 * <p>The status, the content type and the headers are those of a response; operations that are not requests leave them
 * out. A payload that was too large to keep is {@code null}, which is not the same as an empty one.
 */
public final class Outcome {

    /** How the operation ended. */
    public enum Result {
        SUCCEEDED,
        FAILED
    }

    /** The status of an outcome that is not a response. */
    public static final int NO_STATUS = 0;

    private static final int CURRENT_FORMAT = 1;
    private static final int FIRST_FINAL_STATUS = 200;
    private static final int LAST_STATUS = 599;

    private final Result result;
    private final int format;
    private final int status;
    private final @Nullable String contentType;
    private final List<Header> headers;
    private final byte @Nullable [] payload;

    private Outcome(Builder builder) {
        this.result = builder.result;
        this.format = builder.format;
        this.status = builder.status;
        this.contentType = builder.contentType;
        this.headers = List.copyOf(builder.headers);
        this.payload = builder.payload;
        if (status < 0 || status > 999) {
            throw new IllegalArgumentException("status must be between 0 and 999, got " + status);
        }
        if (format < 0 || format > Short.MAX_VALUE) {
            throw new IllegalArgumentException("format must be between 0 and " + Short.MAX_VALUE + ", got " + format);
        }
    }

    public static Builder succeeded() {
        return new Builder(Result.SUCCEEDED);
    }

    public static Builder failed() {
        return new Builder(Result.FAILED);
    }

    public static Builder builder(Result result) {
        return new Builder(result);
    }

    public Result result() {
        return result;
    }

    public boolean isSuccess() {
        return result == Result.SUCCEEDED;
    }

    /** The version of the payload's format, for codecs that change over time. */
    public int format() {
        return format;
    }

    public int status() {
        return status;
    }

    public @Nullable String contentType() {
        return contentType;
    }

    public List<Header> headers() {
        return headers;
    }

    /** The payload itself, not a copy: it must not be changed. {@code null} if it was too large to keep. */
    public byte @Nullable [] payload() {
        return payload;
    }

    /** The payload, not a copy; throws {@link SemelException} if it was not kept. */
    public byte[] requirePayload() {
        if (payload == null) {
            throw new SemelException(
                    "the operation " + (isSuccess() ? "succeeded" : "failed") + " and is not run again, but its"
                            + " outcome was not kept: it was too large, or could not be stored in a form that can"
                            + " be read back; the log of its run says which",
                    null);
        }
        return payload;
    }

    /**
     * Returns this outcome if every front end can replay it: it has the status of a final response or none, and its
     * headers are valid in a response. An outcome that an operator or a reconciler supplies is checked here before it
     * is stored.
     *
     * @throws IllegalArgumentException if it cannot be replayed; the message names what is wrong
     */
    public Outcome requireReplayable() {
        if (status != NO_STATUS && (status < FIRST_FINAL_STATUS || status > LAST_STATUS)) {
            throw new IllegalArgumentException("the status of a response is between " + FIRST_FINAL_STATUS + " and "
                    + LAST_STATUS + ", got " + status);
        }
        if (contentType != null) {
            Text.requireHeaderValue("content type", contentType);
        }
        for (Header header : headers) {
            Text.requireHeaderName(header.name());
            Text.requireHeaderValue("value of header " + Text.quote(header.name()), header.value());
        }
        return this;
    }

    /** The same outcome without its payload, if that is too large to keep. */
    public Outcome withoutPayload() {
        return builder(result)
                .format(format)
                .status(status)
                .contentType(contentType)
                .headers(headers)
                .payload((byte[]) null)
                .build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Outcome that
                && result == that.result
                && format == that.format
                && status == that.status
                && Objects.equals(contentType, that.contentType)
                && headers.equals(that.headers)
                && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(result, format, status, contentType, headers, Arrays.hashCode(payload));
    }

    /** Never shows the payload or the headers: they belong to the customer. */
    @Override
    public String toString() {
        return result + " status=" + status + " type=" + contentType + " payload="
                + (payload == null ? "not kept" : payload.length + " bytes");
    }

    /** Builds an {@link Outcome}. */
    public static final class Builder {

        private final Result result;
        private int format = CURRENT_FORMAT;
        private int status = NO_STATUS;
        private @Nullable String contentType;
        private List<Header> headers = List.of();
        private byte @Nullable [] payload = new byte[0];

        private Builder(Result result) {
            this.result = result;
        }

        public Builder format(int format) {
            this.format = format;
            return this;
        }

        public Builder status(int status) {
            this.status = status;
            return this;
        }

        public Builder contentType(@Nullable String contentType) {
            this.contentType = contentType;
            return this;
        }

        public Builder headers(List<Header> headers) {
            this.headers = headers;
            return this;
        }

        /** Sets the payload without copying the array; {@code null} for a payload that is too large to keep. */
        public Builder payload(byte @Nullable [] payload) {
            this.payload = payload;
            return this;
        }

        public Builder payload(String text) {
            return payload(text.getBytes(StandardCharsets.UTF_8));
        }

        public Outcome build() {
            return new Outcome(this);
        }
    }
}
