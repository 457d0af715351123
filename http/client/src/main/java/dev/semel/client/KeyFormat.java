package dev.semel.client;

import java.util.regex.Pattern;

/** How a key is written into its header. */
public enum KeyFormat {
    /** As a Structured Field string, in double quotes, as the Internet-Draft requires. */
    QUOTED {
        @Override
        public String write(String key) {
            return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    },
    /** As it is, without quotes: most APIs that are older than the draft expect this, for example Stripe. */
    BARE {
        @Override
        public String write(String key) {
            if (!PLAIN.matcher(key).matches()) {
                throw new IllegalArgumentException("without quotes, a key may only contain letters, digits and"
                        + " . _ : / + = ~ - , got \"" + key + "\"");
            }
            return key;
        }
    };

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/+=~-]+");

    public abstract String write(String key);
}
