package dev.semel.gateway.triage;

import dev.semel.KeyDigest;
import dev.semel.erasure.Erasure;
import dev.semel.gateway.config.Admin.FourEyes;
import dev.semel.gateway.config.ConfigException;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.DecisionLog.Entry;
import dev.semel.spi.DecisionLog.Person;
import dev.semel.spi.Decisions;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.util.CallerThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the decisions of people. A decision that needs two people is first stored as a proposal in the decision log,
 * and applied when another person sends the same decision.
 */
public final class OperatorDecisions {

    private static final Logger log = LoggerFactory.getLogger(OperatorDecisions.class);
    private static final String PROPOSE = "propose";
    private static final String ERASED = "erased";
    private static final Duration PROPOSAL_AGE = Duration.ofDays(1);
    private static final int PROPOSALS_READ = 200;
    private static final int MAX_REASON = 500;

    private final KeyStore store;
    private final Set<FourEyes> fourEyes;

    /** The result of a decision. */
    public enum Result {
        APPLIED,
        MOVED_ON,
        HELD_FIRST,
        /** Kept until a second person sends the same decision. */
        PROPOSED,
        /** The store did not answer; the decision may have been applied. */
        NO_ANSWER,
        /** Not sent, because the store did not answer one before it. */
        NOT_TRIED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The result that {@link #toString} writes so. */
        public static Result parse(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
        }

        private static Result of(Decisions.Result result) {
            return switch (result) {
                case APPLIED -> APPLIED;
                case MOVED_ON -> MOVED_ON;
                case HELD_FIRST -> HELD_FIRST;
            };
        }
    }

    /** The result of a decision about a key. */
    public record Answer(DecisionRequest request, Result result) {}

    public OperatorDecisions(KeyStore store, Set<FourEyes> fourEyes) {
        this.store = store;
        this.fourEyes = fourEyes;
        if (!fourEyes.isEmpty() && KeyStore.capability(store, DecisionLog.class).isEmpty()) {
            throw new ConfigException("four-eyes: proposals are kept in the store, but this store keeps no"
                    + " decisions; use"
                    + " PostgreSQL, MariaDB, MySQL or SQLite, or leave --four-eyes out");
        }
    }

    /** Applies one decision, or keeps it as a proposal. */
    public CompletionStage<Result> decide(DecisionRequest request, Person by) {
        Decision decision = request.decision();
        String subject = request.digest().toString();
        if (decision.outcome() != null || !fourEyes.contains(FourEyes.RELEASE)) {
            return apply(request, by, decision.reason());
        }
        Entry.Builder proposal = Entry.builder(PROPOSE, subject, by)
                .key(null, request.token())
                .change("", Decisions.name(decision.resolution()))
                .reason(decision.reason());
        return agreed(proposal.build())
                .thenCompose(other -> other == null
                        ? Decisions.note(store, proposal.build()).thenApply(noted -> Result.PROPOSED)
                        : apply(request, by, agreedReason(decision.reason(), other)));
    }

    private CompletionStage<Result> apply(DecisionRequest request, Person by, String reason) {
        KeyDigest digest = request.digest();
        return Decisions.apply(
                        store, digest, request.token(), request.decision().resolution(), by, reason)
                .thenApply(Result::of);
    }

    /** The same proposal by another person that is still valid, or {@code null}. */
    private CompletionStage<@Nullable Entry> agreed(Entry wanted) {
        DecisionLog decisions = KeyStore.capability(store, DecisionLog.class).orElseThrow();
        CompletionStage<Instant> now =
                KeyStore.capability(store, Inspecting.class).orElseThrow().now();
        return decisions
                .entries(wanted.subject(), 0, PROPOSALS_READ)
                .thenCombine(now, (entries, at) -> agreed(wanted, entries, at.minus(PROPOSAL_AGE)));
    }

    private static @Nullable Entry agreed(Entry wanted, List<Entry> latestFirst, Instant since) {
        for (Entry each : latestFirst) {
            if (!each.action().equals(PROPOSE)) {
                // What was decided since has used up every proposal before it.
                return null;
            }
            if (each.token() == wanted.token()
                    && each.after().equals(wanted.after())
                    && !each.by().name().equals(wanted.by().name())
                    && each.at().isAfter(since)) {
                return each;
            }
        }
        return null;
    }

    private static String agreedReason(String reason, Entry other) {
        String also = " (proposed by " + other.by().name() + ")";
        return reason.substring(0, Math.min(reason.length(), MAX_REASON - also.length())) + also;
    }

    /**
     * Applies many decisions, one after the other, and waits for them. Those that let nothing run come first, so that a batch
     * that breaks off has done the least that cannot be taken back. After the store has not answered once, the rest is not
     * tried. The same batch can be sent again: what was applied has moved on.
     */
    public List<Answer> decideAll(List<DecisionRequest> requests, Person by) {
        List<DecisionRequest> ordered = requests.stream()
                .sorted(Comparator.comparing(
                        request -> switch (request.decision().name()) {
                            case "succeeded" -> 0;
                            case "failed" -> 1;
                            default -> 2;
                        }))
                .toList();
        List<Answer> answers = new ArrayList<>();
        boolean answered = true;
        for (DecisionRequest request : ordered) {
            Result result = answered ? decideNow(request, by) : Result.NOT_TRIED;
            answered = answered && result != Result.NO_ANSWER;
            answers.add(new Answer(request, result));
        }
        return answers;
    }

    private Result decideNow(DecisionRequest request, Person by) {
        try {
            return CallerThread.await(decide(request, by));
        } catch (RuntimeException e) {
            log.warn("the store did not answer a decision about key {}", request.digest(), e);
            return Result.NO_ANSWER;
        }
    }

    /**
     * Whether a scope may be erased now: no second person has to agree, or one did. Otherwise this is kept as a proposal.
     *
     * @return the reason to erase it with, or {@code null} if it was proposed
     */
    public CompletionStage<@Nullable String> mayErase(String scope, Person by, String reason) {
        if (!fourEyes.contains(FourEyes.ERASE)) {
            return CompletableFuture.completedFuture(reason);
        }
        Entry proposal = Entry.builder(PROPOSE, Erasure.subject(scope), by)
                .change("", ERASED)
                .reason(reason)
                .build();
        return agreed(proposal)
                .thenCompose(other -> other == null
                        ? Decisions.note(store, proposal).thenApply(noted -> (String) null)
                        : CompletableFuture.completedFuture(agreedReason(reason, other)));
    }
}
