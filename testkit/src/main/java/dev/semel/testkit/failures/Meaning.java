package dev.semel.testkit.failures;

/** The meaning of an operation's end for its key: a cell of the {@link FailureMatrix}. */
public enum Meaning {
    /** It is the outcome: stored, and replayed to every retry. */
    STORED("stored"),

    /** The operation did not execute: its key is free, and a retry runs immediately. */
    RELEASED("released"),

    /** The outcome is unknown: unknown under HOLD, otherwise left to lapse so that the recovery policy decides. */
    CANNOT_TELL("cannot tell"),

    /** The transaction is rolled back and the key released: a retry runs immediately. */
    ROLLED_BACK("rolled back"),

    /** The operation goes on, and its true outcome is stored when it ends. */
    GOES_ON("goes on"),

    /** Nothing was claimed and nothing ran: the caller gets an error, and the key is unchanged. */
    NOTHING_RAN("nothing ran"),

    /** A consumer handles the message again later; after the last try it is a dead letter and its failure is stored. */
    TRIED_AGAIN("tried again"),

    /** The message goes to the dead letters immediately, and the key keeps what is known of it. */
    DEAD_LETTER("dead letter"),

    /** A client ends the operation as applied. */
    APPLIED("applied"),

    /** A client ends the operation as certainly not applied. */
    NOT_APPLIED("not applied"),

    /** A client keeps the key: it retries, and when it stops the operation stays unknown in its journal. */
    STAYS_UNKNOWN("stays unknown"),

    /** This cannot happen at this front end. */
    NOT_APPLICABLE("–");

    private final String text;

    Meaning(String text) {
        this.text = text;
    }

    /** How the table writes it. */
    public String text() {
        return text;
    }

    static Meaning of(String text) {
        for (Meaning meaning : values()) {
            if (meaning.text.equals(text)) {
                return meaning;
            }
        }
        throw new IllegalArgumentException("unknown cell of the failure matrix: '" + text + "'");
    }
}
