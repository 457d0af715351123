package dev.semel.spi.life;

import dev.semel.policy.Retention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The form in which stores keep the retention of a key: nothing for the default, otherwise the active window, the audit
 * window and the tombstone, such as {@code PT720H//PT2160H}. A window of zero is left out.
 */
public final class RetentionText {

    private static final String SEPARATOR = "/";
    private static final int WINDOWS = 3;

    private RetentionText() {}

    /** {@code null} for the default, so that most keys pay nothing for it. */
    public static @Nullable String encode(Retention retention) {
        if (retention.equals(Retention.DEFAULT)) {
            return null;
        }
        String text = window(retention.active())
                + SEPARATOR
                + window(retention.audit())
                + SEPARATOR
                + window(retention.tombstone());
        return text.replaceAll(SEPARATOR + "+$", "");
    }

    private static String window(Duration duration) {
        return duration.isZero() ? "" : duration.toString();
    }

    /** Reads the form that {@link #encode} returns. */
    public static Retention decode(@Nullable String text) {
        if (text == null) {
            return Retention.DEFAULT;
        }
        String[] windows = text.split(SEPARATOR, -1);
        if (windows.length > WINDOWS) {
            throw new IllegalArgumentException("not the retention of a key: \"" + text + "\"");
        }
        return new Retention(window(windows, 0), window(windows, 1), window(windows, 2));
    }

    private static Duration window(String[] windows, int index) {
        return index >= windows.length || windows[index].isEmpty() ? Duration.ZERO : Duration.parse(windows[index]);
    }
}
