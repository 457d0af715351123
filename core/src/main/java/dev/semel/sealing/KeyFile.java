package dev.semel.sealing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of secret keys: lines of {@code NAME:BASE64}, the current key first. Empty lines and lines that begin with # are
 * skipped.
 */
public final class KeyFile {

    private static final int KEY_BYTES = 32;

    private KeyFile() {}

    /** The keys by their names, in the order of the file. */
    public static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> named = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                addLine(named, line, file + " line " + (i + 1));
            }
        }
        return named;
    }

    private static void addLine(Map<String, byte[]> named, String line, String where) {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    where + " is not NAME:BASE64; make a key with: openssl rand -base64 " + KEY_BYTES);
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(line.substring(colon + 1).strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + " has a key that is not base64", e);
        }
        if (named.put(line.substring(0, colon).strip(), key) != null) {
            throw new IllegalArgumentException(where + " repeats the name of another key");
        }
    }
}
