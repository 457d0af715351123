package dev.semel.attack;

import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.PacedCaller;
import dev.semel.attack.lab.PacedCaller.Business;
import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Target;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** Many connections at once, and a well-behaved caller beside them, who must keep most of its throughput and get no 5xx. */
record Flood(Profile profile, int connections, Stream stream) implements Script {

    private static final long ALONE_MILLIS = 500;
    private static final long SLICE_MILLIS = 100;

    /** What one connection of the flood does until the flood is over. */
    @FunctionalInterface
    interface Stream {

        void run(Target target, HeldConnections held) throws IOException, InterruptedException;
    }

    @Override
    public Verdict run(Lab lab, Effort effort) throws IOException, InterruptedException {
        Verdict first = once(lab, effort);
        // Something else may have kept this machine busy; a flood that succeeds does so twice.
        return first.held() || !lab.isAlive(profile) ? first : better(first, once(lab, effort));
    }

    private static Verdict better(Verdict first, Verdict second) {
        return second.held() || second.ratio() >= first.ratio() ? second : first;
    }

    private Verdict once(Lab lab, Effort effort) throws IOException, InterruptedException {
        Target target = lab.target(profile);
        lab.upstream().forget();
        lab.upstream().noting(false);
        PacedCaller caller = new PacedCaller(target);
        HeldConnections held = new HeldConnections();
        try {
            caller.start();
            double alone = caller.measure(ALONE_MILLIS).perSecond();
            held.start(target, connections, stream);
            held.awaitConnections();
            Business before = buildUp(caller, effort, alone);
            Business beside = caller.measure(effort.measureMillis()).withFailuresOf(before);
            return judge(lab, effort, beside, alone == 0 ? 0 : Math.min(beside.perSecond() / alone, 1));
        } finally {
            held.stop();
            caller.stop();
            lab.upstream().hangUp();
            lab.upstream().noting(true);
        }
    }

    private static Business buildUp(PacedCaller caller, Effort effort, double alone) throws InterruptedException {
        Business last = caller.measure(effort.leastBuildUpMillis());
        for (long millis = effort.leastBuildUpMillis();
                millis < effort.mostBuildUpMillis() && last.perSecond() < effort.minimalRatio() * alone;
                millis += SLICE_MILLIS) {
            last = caller.measure(SLICE_MILLIS).withFailuresOf(last);
        }
        return last;
    }

    private Verdict judge(Lab lab, Effort effort, Business beside, double ratio) {
        String seen = String.format(
                Locale.ROOT,
                "another caller kept %.2f of its throughput, %d times 5xx%s%s",
                ratio,
                beside.serverErrors(),
                beside.otherFailures() == 0 ? "" : ", " + beside.otherFailures() + " times no charge",
                lab.upstream().repeated().isEmpty()
                        ? ""
                        : "; KEYS RAN TWICE: " + lab.upstream().repeated());
        boolean alive = lab.isAlive(profile);
        return new Verdict(
                alive
                        && ratio >= effort.minimalRatio()
                        && beside.serverErrors() == 0
                        && lab.upstream().repeated().isEmpty(),
                alive ? seen : "the gateway has died; " + seen,
                Map.of("ratio", ratio, "errors", (double) beside.serverErrors()));
    }
}
