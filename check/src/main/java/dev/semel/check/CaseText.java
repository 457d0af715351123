package dev.semel.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The texts of a case, from {@code cases.txt}. */
record CaseText(String title, String expected, String why) {

    private static final Map<String, CaseText> ALL = load();

    static CaseText of(String id) {
        return Objects.requireNonNull(ALL.get(id), () -> id + " is missing from cases.txt");
    }

    private static Map<String, CaseText> load() {
        try (InputStream in = Objects.requireNonNull(CaseText.class.getResourceAsStream("cases.txt"), "cases.txt")) {
            Map<String, CaseText> texts = new HashMap<>();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String paragraph : text.strip().split("\n\n")) {
                String[] parts = paragraph.split(" ", 2)[1].split("\n(expected|why): ");
                texts.put(paragraph.split(" ", 2)[0], new CaseText(parts[0], parts[1], parts[2]));
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
