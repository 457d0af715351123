package dev.semel.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The tools of a case: keys, requests, and the count of effects. */
final class Probe {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(300);

    /** For requests that are to arrive one after the other, but run at the same time. */
    private static final Duration HEAD_START = Duration.ofMillis(300);

    private final CheckTarget target;
    private final TrialSender sender;
    private final String prefix;
    private final Supplier<Baseline> baseline;
    private final List<String> exchanges = new ArrayList<>();
    private int keys;

    Probe(CheckTarget target, TrialSender sender, String prefix, Supplier<Baseline> baseline) {
        this.target = target;
        this.sender = sender;
        this.prefix = prefix;
        this.baseline = baseline;
    }

    CheckTarget target() {
        return target;
    }

    Baseline baseline() {
        return baseline.get();
    }

    /** The shared baseline, which this case checks. */
    Baseline judgedBaseline() {
        Baseline shared = baseline.get();
        synchronized (exchanges) {
            exchanges.addAll(shared.exchanges());
        }
        return shared;
    }

    List<String> exchanges() {
        synchronized (exchanges) {
            return List.copyOf(exchanges);
        }
    }

    /** An unused key. */
    String newKey() {
        keys++;
        return target.newKey(prefix + "-" + keys);
    }

    TrialRequest request() {
        return new TrialRequest(target);
    }

    TrialResponse send(TrialRequest request) {
        return later(request).join();
    }

    CompletableFuture<TrialResponse> later(TrialRequest request) {
        return sender.send(request.request()).thenApply(reply -> {
            note(request, reply.brief() + ", after " + reply.tookMillis() + " ms");
            return reply;
        });
    }

    /** Sends a request, or the first part of it, and goes away. */
    void abandon(TrialRequest request, int bodyLength) throws InterruptedException {
        sender.abandon(request.uri(), request.wire(bodyLength), HEAD_START);
        note(request, "left after " + bodyLength + " bytes of the body were sent");
    }

    private void note(TrialRequest request, String what) {
        synchronized (exchanges) {
            exchanges.add(request.brief() + "  →  " + what);
        }
    }

    void headStart() throws InterruptedException {
        Thread.sleep(HEAD_START.toMillis());
    }

    /** Repeats a request as a good client does, as long as the answer asks for it, at most this often. */
    TrialResponse retried(Supplier<TrialRequest> request, int times) throws InterruptedException {
        TrialResponse reply = send(request.get());
        for (int i = 1; i < times && comeBack(reply); i++) {
            Thread.sleep(pause(reply).toMillis());
            reply = send(request.get());
        }
        return reply;
    }

    private static boolean comeBack(TrialResponse reply) {
        return reply.isPending() || reply.status() == 409 || reply.status() == 425 || reply.status() == 503;
    }

    private static Duration pause(TrialResponse reply) {
        String seconds = reply.header("Retry-After").orElse("");
        Duration asked = seconds.matches("\\d{1,3}") ? Duration.ofSeconds(Long.parseLong(seconds)) : SHORTEST_PAUSE;
        return asked.compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : asked.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : asked;
    }

    /** Starts to count effects; the returned supplier gives the number since then. */
    Supplier<OptionalLong> countEffects(String key) {
        String address = target.effectsUri;
        if (address == null) {
            return OptionalLong::empty;
        }
        long before = address.contains("{key}") ? 0 : sender.effects(address, key);
        return () -> OptionalLong.of(sender.effects(address, key) - before);
    }

    /** The number of different operations in these answers, as far as a client can see. */
    static long operations(List<TrialResponse> replies) {
        List<TrialResponse> different = new ArrayList<>();
        for (TrialResponse reply : replies) {
            if (reply.succeeded() && !reply.marked() && different.stream().noneMatch(reply::sameAs)) {
                different.add(reply);
            }
        }
        return different.size();
    }
}
