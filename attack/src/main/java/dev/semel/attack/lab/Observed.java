package dev.semel.attack.lab;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the attacker got, and what the service saw meanwhile.
 *
 * @param answers in the order of the connections, one or more of each
 */
public record Observed(List<Answer> answers, List<SeenRequest> seen) {

    public Answer last() {
        return answers.get(answers.size() - 1);
    }

    @Override
    public String toString() {
        String got = answers.stream().map(Answer::toString).distinct().collect(Collectors.joining(", "));
        String reached = seen.isEmpty()
                ? "nothing"
                : seen.size() == 1 ? seen.get(0).toString() : seen.get(0) + " and " + (seen.size() - 1) + " more";
        return got + "; the service saw " + reached;
    }
}
