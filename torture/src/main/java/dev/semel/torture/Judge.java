package dev.semel.torture;

import dev.semel.Key;
import dev.semel.policy.Recovery;
import dev.semel.testkit.history.Circumstance;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.History.Event;
import dev.semel.testkit.history.HistoryChecker;
import dev.semel.testkit.history.Violation;
import dev.semel.torture.load.LifeRules;
import dev.semel.torture.load.Sender;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Compares what clients got with what the ledger and the business table say was done. */
record Judge(TorturePlan plan, Sender sender, Site site) {

    /** Judges what has happened so far. */
    Findings judge() throws SQLException {
        Findings findings = new Findings();
        for (Operation operation : plan.operations()) {
            // The answers first: an effect must be there before its answer is.
            List<Event> events = sender.history(operation).events();
            List<Circumstance> circumstances = sender.history(operation).circumstances();
            List<Effect> effects = (operation.isTransactional()
                            ? site.effectsOfTransactions(operation)
                            : site.ledger().effects(operation))
                    .stream().map(sender::judged).toList();
            List<Violation> violations =
                    checker(operation).check(events, circumstances, byDelivery(operation, effects));
            findings.add(operation, violations);
            findings.add(operation, LifeRules.check(events, effects));
            findings.add(operation, site.ledger().breaches(operation));
            findings.countKeys(events, effects, doubles(operation, effects));
        }
        site.unnoticedRestores().forEach(findings::addLeftover);
        return findings;
    }

    /** A message whose consumer died is delivered again: where it may run again, each attempt counts as a request. */
    private List<Effect> byDelivery(Operation operation, List<Effect> effects) {
        if (!plan.door().isBroker() || !operation.mayRunAgain()) {
            return effects;
        }
        return effects.stream()
                .map(effect -> effect.attempt() == 1
                        ? effect
                        : new Effect(
                                effect.key(),
                                effect.request() + "." + effect.attempt(),
                                effect.attempt(),
                                effect.token()))
                .toList();
    }

    private static HistoryChecker checker(Operation operation) {
        return switch (operation) {
            case HOLD, ASK, BRIEF, TOMB -> HistoryChecker.ofExternalEffects(Recovery.HOLD);
            case REDO, ORDER -> HistoryChecker.ofExternalEffects(Recovery.RE_EXECUTE);
            case TRANSACTION, SINGLE -> HistoryChecker.ofTransactions();
        };
    }

    /**
     * Counts keys with a second effect that was not announced, without the checker and by a simpler rule: under HOLD and
     * in transactions any, otherwise one that is not of a higher attempt with a higher token.
     */
    private static long doubles(Operation operation, List<Effect> effects) {
        Map<Key, List<Effect>> byKey = new HashMap<>();
        effects.forEach(effect ->
                byKey.computeIfAbsent(effect.key(), any -> new ArrayList<>()).add(effect));
        return byKey.values().stream()
                .filter(ofKey -> ofKey.size() > 1 && (!operation.mayRunAgain() || !isAnnounced(ofKey)))
                .count();
    }

    private static boolean isAnnounced(List<Effect> ofKey) {
        TreeSet<Integer> attempts = new TreeSet<>();
        TreeSet<Long> tokens = new TreeSet<>();
        ofKey.forEach(effect -> {
            attempts.add(effect.attempt());
            tokens.add(effect.token());
        });
        return attempts.size() == ofKey.size() && tokens.size() == ofKey.size();
    }
}
