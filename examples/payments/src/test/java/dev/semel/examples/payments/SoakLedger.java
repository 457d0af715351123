package dev.semel.examples.payments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the operations and answers of the clients with the effects. */
final class SoakLedger {

    private static final class Entry {

        private String kind = "";
        private String wish = "";
        private final Set<String> outcomes = new LinkedHashSet<>();
        private boolean notApplied;
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private SoakLedger() {}

    /** Reads the files of the clients. */
    static SoakLedger read(List<Path> told) throws IOException {
        SoakLedger ledger = new SoakLedger();
        for (Path file : told) {
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                ledger.note(line.split("\t", -1));
            }
        }
        return ledger;
    }

    private void note(String[] words) {
        Entry entry = entries.computeIfAbsent(words[1], first -> new Entry());
        switch (words[0]) {
            case "begun" -> {
                entry.kind = words[2];
                entry.wish = words[3];
            }
            case "told" -> entry.outcomes.add(words[2] + " " + words[3]);
            default -> entry.notApplied = true;
        }
    }

    long begun() {
        return entries.size();
    }

    long succeeded() {
        return count("2");
    }

    /** How many operations got a definite refusal. */
    long refused() {
        return count("4");
    }

    /** How many operations got the answer that they were not applied, or were never sent. */
    long notApplied() {
        return entries.values().stream()
                .filter(entry -> entry.outcomes.isEmpty())
                .count();
    }

    private long count(String status) {
        return entries.values().stream()
                .filter(entry -> entry.outcomes.stream().anyMatch(outcome -> outcome.startsWith(status)))
                .count();
    }

    /** The problems, when every journal is empty; empty if there are none. */
    List<String> judge(SoakProcessor processor, Map<String, Long> orders) {
        List<String> findings = new ArrayList<>();
        entries.forEach((id, entry) -> {
            String outcome = entry.outcomes.isEmpty() ? "not applied" : String.join(" and ", entry.outcomes);
            List<String> done = effects(processor, id, entry.kind);
            int expected = expected(entry, outcome);
            boolean isPayment = entry.kind.equals("payment") || entry.kind.equals("declined");
            long placed = orders.getOrDefault(id, 0L);
            long mails = processor.effects("mail", id).size();
            if (done.size() != expected
                    || (isPayment && (placed != expected || mails != expected))
                    || (expected == 1 && outcome.startsWith("2") && !outcome.contains(done.get(0)))) {
                findings.add(entry.kind + " " + id + " (denial wished: " + entry.wish + "): told " + outcome
                        + (entry.notApplied ? ", and once that it was not applied" : "") + "; done " + done
                        + (isPayment ? ", orders " + placed + ", mails " + mails : ""));
            }
        });
        return findings;
    }

    private static List<String> effects(SoakProcessor processor, String id, String kind) {
        return switch (kind) {
            case "refund", "payout" -> processor.effects(kind, id);
            default -> processor.effects("charge", id);
        };
    }

    /** How many effects go with an outcome; none goes with two outcomes, or with one that the service does not have. */
    private static int expected(Entry entry, String outcome) {
        int status = entry.outcomes.size() > 1 || outcome.length() < 3 || !Character.isDigit(outcome.charAt(0))
                ? 0
                : Integer.parseInt(outcome.substring(0, 3));
        return switch (entry.kind) {
            case "payment" -> status == 201 ? 1 : entry.outcomes.isEmpty() ? 0 : -1;
            case "declined" -> status == 402 || entry.outcomes.isEmpty() ? 0 : -1;
            case "refund" -> status == 200 ? 1 : entry.outcomes.isEmpty() ? 0 : -1;
            default ->
                status == 200 || entry.wish.equals("after-" + status)
                        ? 1
                        : entry.outcomes.isEmpty() || entry.wish.equals("before-" + status) ? 0 : -1;
        };
    }
}
