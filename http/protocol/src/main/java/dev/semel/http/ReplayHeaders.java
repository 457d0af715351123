package dev.semel.http;

import dev.semel.Header;
import dev.semel.http.replay.Replays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Selects the headers of a response that are stored and replayed. */
public final class ReplayHeaders {

    private static final ReplayHeaders DEFAULT = new ReplayHeaders(List.of(
            "Content-Type", "Content-Encoding", "Content-Language", "Location", "ETag", "Link", "Cache-Control"));

    private final Set<String> names;

    private ReplayHeaders(Iterable<String> names) {
        TreeSet<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.forEach(all::add);
        for (String name : all) {
            if (!Replays.mayReplay(name)) {
                throw new IllegalArgumentException("header " + name
                        + " must not be replayed: it belongs to one message, one connection or one session");
            }
        }
        this.names = Collections.unmodifiableSet(all);
    }

    /**
     * The headers that describe the body and the resource: content type, encoding and language, location, tag, links,
     * caching.
     */
    public static ReplayHeaders standard() {
        return DEFAULT;
    }

    /** Adds these headers. Cookies, and headers of one message, hop or trace, are refused. */
    public ReplayHeaders and(String... more) {
        TreeSet<String> all = new TreeSet<>(names);
        all.addAll(List.of(more));
        return new ReplayHeaders(all);
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    /** The subset of these headers that is stored. */
    public List<Header> of(List<Header> headers) {
        List<Header> kept = new ArrayList<>(headers.size());
        for (Header header : headers) {
            if (contains(header.name())) {
                kept.add(header);
            }
        }
        return kept;
    }
}
