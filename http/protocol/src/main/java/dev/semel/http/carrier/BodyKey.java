package dev.semel.http.carrier;

import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import dev.semel.http.json.JsonPointer;
import dev.semel.http.json.JsonScalar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The key that a client has put into the body of its request. */
public final class BodyKey {

    private static final String FORM = "application/x-www-form-urlencoded";

    /** A form with a key is small; it is read as a whole. */
    private static final int MAX_FORM = 1 << 20;

    private BodyKey() {}

    /** The string or integer at the pointer; {@code null} if the body is not a JSON document, or has none there. */
    public static @Nullable String atPointer(RequestContent content, JsonPointer pointer) throws InvalidKeyException {
        String where = "key at " + pointer.text() + " of the body";
        if (content.size() == 0 || !content.isJson()) {
            return null;
        }
        requireNotEncoded(content, where);
        try (InputStream in = content.open()) {
            return JsonScalar.find(in, pointer);
        } catch (JsonScalar.UnreadableException e) {
            throw new InvalidKeyException("The " + where + " cannot be read: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the spooled request body", e);
        }
    }

    /** The value of a form's field; {@code null} if the body is not a form, or has no such field. */
    public static @Nullable String ofField(RequestContent content, String field) throws InvalidKeyException {
        String where = "form field " + field;
        if (content.size() == 0 || !content.type().startsWith(FORM)) {
            return null;
        }
        if (!content.isForm()) {
            throw new InvalidKeyException("The " + where + " can only be read from a form in UTF-8.");
        }
        requireNotEncoded(content, where);
        if (content.size() > MAX_FORM) {
            throw new InvalidKeyException(
                    "The " + where + " cannot be read: the form is larger than " + MAX_FORM + " bytes.");
        }
        try (InputStream in = content.open()) {
            String form = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(in.readAllBytes()))
                    .toString();
            return Parameters.value(form, field, where);
        } catch (CharacterCodingException e) {
            throw new InvalidKeyException("The " + where + " cannot be read: the form is not UTF-8.");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the spooled request body", e);
        }
    }

    private static void requireNotEncoded(RequestContent content, String where) throws InvalidKeyException {
        if (!content.encoding().isEmpty()) {
            throw new InvalidKeyException(
                    "The " + where + " cannot be read from a body with a Content-Encoding; send the body as it is.");
        }
    }
}
