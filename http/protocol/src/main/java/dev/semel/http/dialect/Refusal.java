package dev.semel.http.dialect;

import dev.semel.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer for one cause.
 *
 * @param code the API's code for it; fills {@code {code}}
 * @param body a separate body; {@code null} for that of the dialect
 */
record Refusal(int status, String code, @Nullable BodyTemplate body, List<Header> headers) {

    Refusal with(Header header) {
        List<Header> all = new ArrayList<>(headers);
        all.add(header);
        return new Refusal(status, code, body, List.copyOf(all));
    }
}
