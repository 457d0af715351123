package dev.semel.attack;

import dev.semel.attack.lab.Answer;
import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.Observed;
import dev.semel.attack.lab.PacedCaller;
import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import dev.semel.attack.lab.Target;
import dev.semel.attack.lab.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Exact bytes, each on a connection of its own, and what must be true afterwards. Whatever else is to hold, what reaches the
 * service has one reading, and another caller is served.
 */
record ByteAttack(Profile profile, boolean toAdmin, List<String> bytes, List<Rule> rules) implements Script {

    /** How many charges of another caller follow, so that a spoilt connection in a pool shows. */
    private static final int VICTIMS = 2;

    @Override
    public Verdict run(Lab lab, Effort effort) throws IOException, InterruptedException {
        Target target = lab.target(profile);
        lab.upstream().forget();
        List<Answer> answers = new ArrayList<>();
        for (String each : bytes) {
            try (Wire wire = toAdmin ? target.connectAdmin() : target.connect()) {
                answers.addAll(send(wire, each));
            }
        }
        return judge(profile, target, new Observed(answers, lab.upstream().seen()), rules);
    }

    /** A server may refuse before it has read everything, and close. */
    private static List<Answer> send(Wire wire, String bytes) throws IOException {
        try {
            wire.send(bytes);
        } catch (java.net.SocketException | javax.net.ssl.SSLException closed) {
            return wire.answers();
        }
        return bytes.startsWith("HEAD ") ? List.of(wire.answerToHead()) : wire.answers();
    }

    /** Applies the rules of an attack and those of all attacks. */
    static Verdict judge(Profile profile, Target target, Observed outcome, List<Rule> rules) throws IOException {
        List<Rule> all = new ArrayList<>(rules);
        all.add(Rule.unambiguous());
        for (Rule rule : all) {
            String broken = rule.brokenBy(outcome);
            if (broken != null) {
                return Verdict.failed(broken + " (" + outcome + ")");
            }
        }
        return profile.servesCredentials() ? judgeVictims(target, outcome) : Verdict.held(outcome.toString());
    }

    private static Verdict judgeVictims(Target target, Observed outcome) throws IOException {
        for (int i = 0; i < VICTIMS; i++) {
            Answer victim = PacedCaller.chargeOnce(target);
            if (victim.status() != 201 || !victim.body().contains("\"run\":1")) {
                return Verdict.failed("then another caller got " + victim + " "
                        + victim.body().strip() + " (" + outcome + ")");
            }
        }
        return Verdict.held(outcome.toString());
    }
}
