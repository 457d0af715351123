package dev.semel.client.journal;

import java.io.IOException;

/** The file can be read, but must not be used as a journal: its message says why. */
public final class UnusableJournalException extends IOException {

    private static final long serialVersionUID = 1L;

    UnusableJournalException(String message) {
        super(message);
    }
}
