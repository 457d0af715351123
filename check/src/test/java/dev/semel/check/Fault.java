package dev.semel.check;

import java.util.List;

/** What is wrong with a server, and the cases that must find it; the first one is the one meant for it. */
enum Fault {
    NONE,
    /** Looks whether the key is known, runs, and stores the answer when it is done. */
    CHECK_THEN_ACT("P8.1"),
    /** Keys of all callers are the same. */
    UNSCOPED("P18.1"),
    /** Keys of all callers are the same, and so is their fingerprint not. */
    LEAKS_EXISTENCE("P18.2"),
    /** Does not compare the request with the first one. */
    BODY_IGNORED("P7.1"),
    /** Does not compare the path with that of the first one. */
    PATH_IGNORED("P7.2"),
    /** Releases the key when the operation fails, whatever it did before. */
    ERRORS_NOT_STORED("P12.2"),
    /** Neither settles nor releases the key when the operation fails. */
    NEVER_RELEASED("P12.2"),
    /** Stores that a request was handled, and thinks that it was well. */
    REFUSAL_TURNS_INTO_SUCCESS("P12.1"),
    /** Stores a parsed answer, and writes it differently. */
    RESERIALISED("P9.1"),
    /** Stores that there was an answer, not which. */
    EMPTY_REPLAY("P9.1"),
    /** Every replay is a 200. */
    STATUS_LOST("P9.1"),
    /** A duplicate waits, and nobody wakes it. */
    BLOCKS_FOREVER("P8.2"),
    /** Stores all headers. */
    COOKIE_REPLAYED("P9.3"),
    /** Stores no header. */
    HEADERS_LOST("P9.2"),
    /** Takes a claim that is a little old for one of a dead owner. */
    DELETES_LIVE_CLAIM("P14.1"),
    /** Says that it is busy, and not for how long. */
    NO_RETRY_AFTER("P8.2"),
    NO_MARKER("P9.4"),
    /** Keeps keys in a column of 255 characters. */
    KEY_CUT("P3.2"),
    /** Takes the field's value as it is. */
    QUOTES_COUNT("P2.1"),
    /** Takes the parameters for a part of the key. */
    PARAMETERS_COUNT("P1.1"),
    /** Takes whatever stands between quotes, or behind one. */
    SLOPPY_QUOTES("P3.3"),
    FIRST_OF_TWO_KEYS("P3.4"),
    EMPTY_KEY_ACCEPTED("P3.1"),
    KEY_OPTIONAL("P5.1"),
    /** Compares bodies after removing white space. */
    ORDER_COUNTS("P6.1"),
    /** Compares bodies after sorting their members. */
    SPACE_COUNTS("P6.2"),
    /** Does not notice that a body is not complete. */
    RUNS_HALF_A_BODY("P14.2"),
    /** Thinks that a retry comes once. */
    FORGETS_AFTER_REPLAY("P9.5"),
    PLAIN_REFUSAL("P16.1"),
    /** Says that it is busy before it looks at the request. */
    BUSY_BEFORE_MISMATCH("P7.3");

    final List<String> found;

    Fault(String... found) {
        this.found = List.of(found);
    }
}
