package dev.semel.attack;

import dev.semel.attack.lab.Lab;
import java.io.IOException;
import java.util.List;

/** Carries out attacks one after the other. */
record AttackRun(Lab lab, Effort effort) {

    void run(List<Attack> attacks, Report report) throws InterruptedException {
        for (Attack attack : attacks) {
            report.running(attack);
            if (lab.isOwn() || isForNamed(attack)) {
                report.ended(attack, carryOut(attack));
            } else {
                report.skipped(attack);
            }
        }
    }

    /** A gateway that was started elsewhere has one set of options, and perhaps no known admin address. */
    private boolean isForNamed(Attack attack) {
        return lab.offers(attack.profile())
                && !(attack.script() instanceof RefusedStart)
                && (attack.group() != Group.ADMIN || lab.offersAdmin())
                && !attack.name().equals("store-for-everybody");
    }

    private Verdict carryOut(Attack attack) throws InterruptedException {
        try {
            return attack.script().run(lab, effort);
        } catch (IOException e) {
            // A gateway that does not start or cannot be reached withstands nothing.
            return Verdict.failed(String.valueOf(e.getMessage()));
        }
    }
}
