package dev.semel.dynamodb;

/** What is kept of a key's state; whether a lease has lapsed or an outcome expired is for the clock to say. */
enum State {
    PENDING("p"),
    UNKNOWN("u"),
    SUCCEEDED("s"),
    FAILED("f"),
    /** Nothing is left of the key but its token, which the next claim's must be larger than. */
    FORGOTTEN("g");

    private final String letter;

    State(String letter) {
        this.letter = letter;
    }

    String letter() {
        return letter;
    }

    boolean isSettled() {
        return this == SUCCEEDED || this == FAILED;
    }

    boolean isOpen() {
        return this == PENDING || this == UNKNOWN;
    }

    static State of(String letter) {
        for (State state : values()) {
            if (state.letter.equals(letter)) {
                return state;
            }
        }
        throw new IllegalArgumentException(
                "an item has the state \"" + letter + "\", which only a newer release may know");
    }
}
