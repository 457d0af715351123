package dev.semel.http;

import java.util.List;

/** The headers of a request. */
@FunctionalInterface
public interface HeaderLines {

    /** The values of all field lines of this name, in any case, in their order; empty if there is none. */
    List<String> lines(String name);
}
