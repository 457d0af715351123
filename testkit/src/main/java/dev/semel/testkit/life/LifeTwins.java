package dev.semel.testkit.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Resolution;
import dev.semel.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A store and the state machine in Java, to which the same things happen. */
final class LifeTwins {

    static final int KEYS = 2;

    private final String scope = "scope-" + UUID.randomUUID();
    private final List<Key> keys = List.of(Key.of(scope, "order-1"), Key.of(scope, "order-2"));
    private final SettableClock clock;
    private final Twin java;
    private final Twin other;
    private final BiConsumer<String, Duration> age;
    private final List<ClaimRequest> attempts = new ArrayList<>();
    private final Map<Key, ClaimRequest> owners = new HashMap<>();

    /** @param age makes the other store's keys of a scope older */
    LifeTwins(StateMachineStore java, SettableClock clock, KeyStore other, BiConsumer<String, Duration> age) {
        this.java = Twin.of(java);
        this.clock = clock;
        this.other = Twin.of(other);
        this.age = age;
    }

    void perform(Step step) {
        if (step instanceof Step.Send send) {
            ClaimRequest request = request(send);
            attempts.add(request);
            claim(step, request);
        } else if (step instanceof Step.Pass pass) {
            clock.advance(units(pass.seconds()));
            age.accept(scope, units(pass.seconds()));
        } else if (!attempts.isEmpty()) {
            byAttempt(step);
        }
        for (Key key : keys) {
            compare(step, twin -> twin.find(key));
        }
    }

    private void byAttempt(Step step) {
        if (step instanceof Step.SendAgain again) {
            claim(step, attempt(again.attempt()));
        } else if (step instanceof Step.Settle settle) {
            Outcome outcome = outcome(settle.attempt(), settle.success());
            Retention retention =
                    new Retention(units(settle.retention()), units(settle.audit()), units(settle.tombstone()));
            compare(step, twin -> twin.settle(attempt(settle.attempt()), outcome, retention));
        } else if (step instanceof Step.Renew renew) {
            compare(step, twin -> twin.renew(attempt(renew.attempt()), units(renew.lease())));
        } else if (step instanceof Step.Release release) {
            compare(step, twin -> twin.release(attempt(release.attempt())));
        } else if (step instanceof Step.Abandon abandon) {
            compare(step, twin -> twin.abandon(attempt(abandon.attempt())));
        } else if (step instanceof Step.Record record) {
            compare(
                    step,
                    twin -> twin.recordStep(
                            attempt(record.attempt()),
                            "step " + record.name() % 2,
                            "done by attempt " + record.attempt()));
        } else if (step instanceof Step.Resolve resolve) {
            Resolution resolution = switch (resolve.decision()) {
                case 0 -> new Resolution.Settle(outcome(99, true));
                case 1 -> new Resolution.Release();
                default -> new Resolution.Hold();
            };
            compare(step, twin -> twin.resolve(attempt(resolve.attempt()), resolution, "seen by\ta person"));
        }
    }

    private void claim(Step step, ClaimRequest request) {
        String answer = compare(step, twin -> twin.claim(request));
        if (answer.startsWith(Twin.ACQUIRED)) {
            owners.put(request.key(), request);
        }
    }

    private String compare(Step step, Function<Twin, String> call) {
        String expected = call.apply(java);
        assertThat(call.apply(other)).as("%s", step).isEqualTo(expected);
        return expected;
    }

    /** Half of what happens is done by the attempt that got a key last, the rest by any. */
    private ClaimRequest attempt(int number) {
        ClaimRequest any = attempts.get(number / 2 % attempts.size());
        ClaimRequest owner = owners.get(keys.get(number / 2 % KEYS));
        return number % 2 == 0 && owner != null ? owner : any;
    }

    private ClaimRequest request(Step.Send send) {
        Retention retention =
                new Retention(units(1 + send.retention()), units(send.retention() / 2), units(send.retention() / 3));
        Fingerprint fingerprint = switch (send.body()) {
            case 2 -> Fingerprint.of("body 0").forOperation("refund");
            case 3 -> Fingerprint.of("body 0").withRules("amount");
            default -> Fingerprint.of("body " + send.body());
        };
        return ClaimRequest.builder(keys.get(send.key()), "charge", fingerprint)
                .lease(units(send.lease()))
                .retention(retention)
                .takeOver(send.takeOver())
                .traceId("trace-" + attempts.size())
                .build();
    }

    private static Outcome outcome(int number, boolean success) {
        return (success ? Outcome.succeeded() : Outcome.failed())
                .status(200 + number)
                .contentType("text/plain")
                .payload("outcome " + number)
                .build();
    }

    private static Duration units(int count) {
        return SameLife.UNIT.multipliedBy(count);
    }
}
