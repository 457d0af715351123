package dev.semel.check;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** One property of an API that is checked. Its number is that of the point of the protocol that it belongs to. */
public final class CheckCase {

    /** The severity of a finding. */
    public enum Kind {
        /** A retry can apply an operation twice, never get its answer, or get another caller's. */
        HAZARD,
        /** Clients that follow the Internet-Draft will not understand the API. */
        CONVENTION
    }

    /** Sends the case's requests, and judges the API's behaviour. */
    @FunctionalInterface
    interface Judge {
        Verdict judge(Probe probe) throws InterruptedException;
    }

    private final String id;
    private final Kind kind;
    private final CaseText text;
    private ToIntFunction<CheckTarget> requests = target -> 0;
    private Function<CheckTarget, @Nullable String> missing = target -> null;
    private boolean countsEffects;
    private Judge judge = probe -> Verdict.skipped("not written");

    private CheckCase(String id, Kind kind) {
        this.id = id;
        this.kind = kind;
        this.text = CaseText.of(id);
    }

    static CheckCase hazard(String id) {
        return new CheckCase(id, Kind.HAZARD);
    }

    static CheckCase convention(String id) {
        return new CheckCase(id, Kind.CONVENTION);
    }

    CheckCase sends(int requests) {
        return sends(target -> requests);
    }

    CheckCase sends(ToIntFunction<CheckTarget> requests) {
        this.requests = requests;
        return this;
    }

    /** Adds the requests to the effect probe, before and after the case. */
    CheckCase countsEffects() {
        this.countsEffects = true;
        return this;
    }

    /** Returns what a target lacks for this case, or {@code null} if it can be tried. */
    CheckCase needs(Function<CheckTarget, @Nullable String> needed) {
        Function<CheckTarget, @Nullable String> before = missing;
        this.missing = target -> {
            String first = before.apply(target);
            return first == null ? needed.apply(target) : first;
        };
        return this;
    }

    CheckCase needs(String what, Predicate<CheckTarget> has) {
        return needs(target -> has.test(target) ? null : what);
    }

    CheckCase judgedBy(Judge judge) {
        this.judge = judge;
        return this;
    }

    /** The id of the case, for example {@code P9.1}. */
    public String id() {
        return id;
    }

    public Kind kind() {
        return kind;
    }

    public String title() {
        return text.title();
    }

    public String expected() {
        return text.expected();
    }

    /** Why the case matters. */
    public String why() {
        return text.why();
    }

    @Nullable
    String missing(CheckTarget target) {
        return missing.apply(target);
    }

    /** The most requests that it sends to this target. */
    int requests(CheckTarget target) {
        return missing(target) != null
                ? 0
                : requests.applyAsInt(target) + (countsEffects ? target.effectsRequests() : 0);
    }

    Verdict judge(Probe probe) throws InterruptedException {
        return judge.judge(probe);
    }

    @Override
    public String toString() {
        return id + " " + title();
    }
}
