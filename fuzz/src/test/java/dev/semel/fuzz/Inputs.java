package dev.semel.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Inputs as lines of text, one each, in which every byte that is not printable ASCII is written as {@code \xNN}. */
final class Inputs {

    private static final int HEX = 16;

    private Inputs() {}

    /** The kept inputs of a target. */
    static List<byte[]> of(Target target) {
        try (InputStream in = Inputs.class.getResourceAsStream(target.word() + ".corpus")) {
            if (in == null) {
                throw new IllegalStateException("there is no corpus of the target " + target.word());
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(Inputs::bytes)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String escaped(byte[] input) {
        return escaped(new String(input, StandardCharsets.ISO_8859_1));
    }

    static String escaped(String text) {
        StringBuilder line = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c < 0x7f && c != '\\') {
                line.append(c);
            } else {
                line.append(c < 0x100 ? String.format("\\x%02x", (int) c) : String.format("\\u%04x", (int) c));
            }
        }
        return line.toString();
    }

    static byte[] bytes(String line) {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                input.write(Integer.parseInt(line.substring(i + 2, i + 4), HEX));
                i += 3;
            } else {
                input.write(line.charAt(i));
            }
        }
        return input.toByteArray();
    }
}
