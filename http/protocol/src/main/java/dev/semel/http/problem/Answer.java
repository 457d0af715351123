package dev.semel.http.problem;

import dev.semel.Header;
import java.util.ArrayList;
import java.util.List;

/**
 * A whole response that an adapter writes as it is. The body's length is for the adapter to announce.
 *
 * @param body not a copy: it must not be changed
 */
public record Answer(int status, List<Header> headers, byte[] body) {

    public Answer {
        headers = List.copyOf(headers);
    }

    /** The same answer with one more header. */
    public Answer with(String name, String value) {
        return with(List.of(new Header(name, value)));
    }

    public Answer with(List<Header> more) {
        List<Header> all = new ArrayList<>(headers);
        all.addAll(more);
        return new Answer(status, all, body);
    }
}
