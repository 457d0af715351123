package dev.semel.torture;

import dev.semel.spi.KeyState;
import dev.semel.torture.door.MessageClient;
import dev.semel.torture.fault.FaultLog;
import dev.semel.torture.fault.FaultScript;
import dev.semel.torture.load.ClientLoad;
import dev.semel.torture.load.ForgottenKeys;
import dev.semel.torture.load.RecoveryTimes;
import dev.semel.torture.load.Sender;
import dev.semel.torture.load.Story;
import dev.semel.torture.load.Sweep;
import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.service.ServiceReply;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One run: load and faults for a while, then everything is healed, every story is ended, and the judge has its say. */
final class TortureRun {

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private final TorturePlan plan;
    private final PrintStream out;
    private final Predicate<String> wanted;
    private final FaultLog faults = new FaultLog();
    private final RecoveryTimes recoveries = new RecoveryTimes(faults);
    private long startedAt;

    TortureRun(TorturePlan plan, PrintStream out) {
        this(plan, out, any -> true);
    }

    /** @param wanted which faults of the schedule are injected */
    TortureRun(TorturePlan plan, PrintStream out, Predicate<String> wanted) {
        this.plan = plan;
        this.out = out;
        this.wanted = wanted;
    }

    Verdict run() throws Exception {
        out.printf(
                "Torture of %s on %s through the %s: %d s, %d nodes, lease %s, seed %d%nFaults: %s%n",
                plan.system(),
                plan.store(),
                plan.door().title(),
                plan.duration().toSeconds(),
                plan.nodes(),
                plan.lease(),
                plan.seed(),
                plan.faults());
        try (Site site = Site.open(plan)) {
            Sender sender = new Sender(site.clients(), plan, recoveries);
            MessageClient messages = site.messages();
            if (messages != null) {
                messages.onLateLetter(sender::tellLate);
            }
            site.ledger().countRequestsBy(sender::requests);
            if (messages == null) {
                // A message may rightly be handled long after it was sent.
                site.ledger().showLate(plan.lease());
                sender.onSend(site.ledger()::sends);
            }
            site.ledger()
                    .onDecision((operation, key, outcome) -> sender.decided(
                            operation, key, outcome == null ? null : Sender.outcome(outcome.requirePayload())));
            ClientLoad load = new ClientLoad(plan, site.nodes(), sender, site.ledger());
            Judge judge = new Judge(plan, sender, site);
            ForgottenKeys forgotten = new ForgottenKeys(load::stories, sender, site.ledger());
            FaultScript script =
                    new FaultScript(plan, site.faults(forgotten::since, load.erasedScope()), faults, wanted);
            load.start();
            load.warmUp();
            startedAt = System.nanoTime();
            script.start();
            boolean broken = watch(sender, judge, script);
            Duration took = Duration.ofNanos(System.nanoTime() - startedAt);
            script.stop();
            script.requireNoFailure();
            site.heal();
            load.stop();
            if (broken && plan.bug() != Bug.NONE) {
                // What was planted is found: the rest does not matter.
                return verdict(took, judge.judge(), sender, site, Map.of());
            }
            out.println("All faults are over. Ending every unfinished operation.");
            List<Story> endless = load.endStories();
            List<String> left = messages == null ? List.of() : undelivered(messages, site);
            Sweep sweep = sweep(site, sender, load);
            Findings findings = judge.judge();
            endless.forEach(story -> findings.addLeftover("no end of " + story));
            left.forEach(findings::addLeftover);
            if (sweep != null) {
                sweep.leftovers().forEach(findings::addLeftover);
            }
            return verdict(took, findings, sender, site, sweep == null ? Map.of() : sweep.states());
        }
    }

    /** Messages that wait forever, and those that are lost. */
    private static List<String> undelivered(MessageClient messages, Site site) throws Exception {
        List<String> left = new ArrayList<>();
        long waiting = messages.drain();
        if (waiting > 0) {
            left.add(waiting + " messages are still in their queues");
        }
        left.addAll(messages.lost(site.nodes().get(0).current().port()));
        return left;
    }

    private Verdict verdict(Duration took, Findings findings, Sender sender, Site site, Map<KeyState, Long> states) {
        return new Verdict(plan, took, findings, faults, sender, site.ledger(), recoveries, states);
    }

    /** Tells how it goes until the time is over, or a guarantee is found broken; {@code true} then. */
    private boolean watch(Sender sender, Judge judge, FaultScript script) throws Exception {
        long nextJudgement = LOOK.toNanos();
        long nextProgress = PROGRESS.toNanos();
        for (long elapsed = 0; elapsed < plan.duration().toNanos(); elapsed = System.nanoTime() - startedAt) {
            TimeUnit.NANOSECONDS.sleep(Math.min(LOOK.toNanos(), plan.duration().toNanos() - elapsed));
            script.requireNoFailure();
            long now = System.nanoTime() - startedAt;
            if (now > nextProgress) {
                nextProgress = now + PROGRESS.toNanos();
                progress(sender);
            }
            if (plan.stopEarly() && now > nextJudgement) {
                // Ever less often: each judgement goes through everything again.
                nextJudgement = now + now / 2;
                if (isBroken(judge)) {
                    out.printf(
                            "A guarantee is broken after %d s: ending early.%n", TimeUnit.NANOSECONDS.toSeconds(now));
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isBroken(Judge judge) {
        try {
            return !judge.judge().isClean();
        } catch (SQLException e) {
            // The database is down, as it is meant to be from time to time: judged later.
            return false;
        }
    }

    private void progress(Sender sender) {
        out.printf(
                Locale.ROOT,
                "%5d s  %7d requests  %6d executed  %7d replayed  %s%n",
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedAt),
                sender.requests(),
                sender.replies(ServiceReply.Kind.EXECUTED),
                sender.replies(ServiceReply.Kind.REPLAYED),
                faults);
    }

    private @Nullable Sweep sweep(Site site, Sender sender, ClientLoad load) throws Exception {
        if (!plan.isSemel()) {
            return null;
        }
        return Sweep.of(site.database(), sender, site.ledger().keys(), load.stories());
    }
}
