package dev.semel.http.dialect;

import dev.semel.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one cause is answered.
 *
 * @param code what the API calls it; fills {@code {code}}
 * @param body a body of its own; {@code null} for that of the dialect
 */
record Refusal(int status, String code, @Nullable BodyTemplate body, List<Header> headers) {

    Refusal with(Header header) {
        List<Header> all = new ArrayList<>(headers);
        all.add(header);
        return new Refusal(status, code, body, List.copyOf(all));
    }
}
