package dev.semel.check;

/** What is wrong with how a server speaks a dialect, and the case that must find it. */
enum DialectFault {
    NONE(""),
    /** Looks for the key in the draft's header. */
    OTHER_CARRIER("P9.1"),
    MISMATCH_STATUS("P20.1"),
    /** The right status, and the draft's body. */
    MISMATCH_BODY("P20.1"),
    /** Answers with what was stored for the other request. */
    MISMATCH_LOOKS_LIKE_SUCCESS("P20.1"),
    IN_FLIGHT_STATUS("P20.2"),
    IN_FLIGHT_BODY("P20.2"),
    NO_RETRY_AFTER("P20.2"),
    KEY_RULE_TURNED_ROUND("P20.3"),
    NO_MARK("P20.4"),
    MARKS_THE_FIRST("P20.4"),
    NO_RESULT_HEADER("P20.4"),
    LONG_KEYS("P20.5");

    final String found;

    DialectFault(String found) {
        this.found = found;
    }
}
