package dev.semel.http.key;

import java.util.regex.Pattern;

/**
 * A text that ends a match which looks at it too often. A regular expression such as {@code (a+)+b} takes time that doubles
 * with every character of a key that a client may choose.
 */
final class BoundedText implements CharSequence {

    /** Hundreds of looks at each character of the longest key; a match without backtracking takes a few. */
    private static final int MOST_LOOKS = 100_000;

    /** Ends the match. */
    private static final class TooManyLooksException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyLooksException() {
            super(null, null, false, false);
        }
    }

    private final String text;
    private int looks;

    private BoundedText(String text) {
        this.text = text;
    }

    /** Whether the pattern matches the whole text, within bounds. */
    static boolean matches(Pattern pattern, String text) {
        try {
            return pattern.matcher(new BoundedText(text)).matches();
        } catch (TooManyLooksException | StackOverflowError e) {
            return false;
        }
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++looks > MOST_LOOKS) {
            throw new TooManyLooksException();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
