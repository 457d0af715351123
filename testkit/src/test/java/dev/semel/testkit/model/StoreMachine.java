package dev.semel.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.life.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Applies each step to a store and to the model, and compares their answers. */
final class StoreMachine<S extends KeyStore & Inspecting & Purging & StepRecording> {

    static final int KEYS = 2;

    private final S store;
    private final SettableClock clock;
    private final List<Key> keys = List.of(Key.of("shop", "order-1"), Key.of("shop", "order-2"));
    private final List<KeyModel> models =
            Stream.generate(KeyModel::new).limit(KEYS).toList();
    private final List<ClaimRequest> attempts = new ArrayList<>();
    private final Map<UUID, Lease> leases = new HashMap<>();
    private final long[] lastToken = new long[KEYS];

    StoreMachine(S store, SettableClock clock) {
        this.store = store;
        this.clock = clock;
    }

    void perform(Step step) {
        if (step instanceof Step.Send send) {
            attempts.add(ClaimRequest.builder(keys.get(send.key()), "charge", fingerprint(send.body()))
                    .nonce(new UUID(0, attempts.size()))
                    .lease(seconds(send.lease()))
                    .retention(retention(1 + send.retention(), send.retention() / 2, send.retention() / 3))
                    .takeOver(send.takeOver())
                    .build());
            claim(attempts.get(attempts.size() - 1));
        } else if (step instanceof Step.Pass pass) {
            clock.advance(seconds(pass.seconds()));
        } else if (step instanceof Step.Purge) {
            purge();
        } else if (!attempts.isEmpty()) {
            byAttempt(step);
        }
        compareStates();
    }

    private void byAttempt(Step step) {
        if (step instanceof Step.SendAgain again) {
            claim(attempt(again.attempt()));
        } else if (step instanceof Step.Settle settle) {
            ClaimRequest by = attempt(settle.attempt());
            Retention retention = retention(settle.retention(), settle.tombstone(), settle.audit());
            Outcome outcome = outcome(settle.attempt(), settle.success());
            assertThat(ask(store.settle(lease(by), outcome, retention)))
                    .isEqualTo(model(by).settle(by.nonce(), outcome, retention, now()));
        } else if (step instanceof Step.Renew renew) {
            ClaimRequest by = attempt(renew.attempt());
            Renewal renewal = new Renewal(lease(by), seconds(renew.lease()));
            assertThat(ask(store.renew(List.of(renewal))).contains(renewal.lease()))
                    .isEqualTo(model(by).renew(by.nonce(), renewal.duration(), now()));
        } else if (step instanceof Step.Release release) {
            ClaimRequest by = attempt(release.attempt());
            assertThat(ask(store.release(lease(by)))).isEqualTo(model(by).release(by.nonce()));
        } else if (step instanceof Step.Abandon abandon) {
            ClaimRequest by = attempt(abandon.attempt());
            assertThat(ask(store.abandon(lease(by)))).isEqualTo(model(by).abandon(by.nonce()));
        } else if (step instanceof Step.Record record) {
            ClaimRequest by = attempt(record.attempt());
            assertThat(ask(store.recordStep(lease(by), "step" + record.name(), new byte[0])))
                    .isEqualTo(model(by).recordStep(by.nonce(), "step" + record.name()));
        } else if (step instanceof Step.Resolve resolve) {
            resolve(resolve);
        }
    }

    private void claim(ClaimRequest request) {
        int index = keys.indexOf(request.key());
        Claim claim = ask(store.claim(request));
        assertThat(describe(claim)).isEqualTo(model(request).claim(request, now()));
        if (claim instanceof Claim.Acquired acquired) {
            Lease before = leases.put(request.nonce(), acquired.lease());
            if (!acquired.lease().equals(before)) {
                assertThat(acquired.lease().token()).isGreaterThan(lastToken[index]);
                lastToken[index] = acquired.lease().token();
            }
        }
    }

    private void resolve(Step.Resolve step) {
        ClaimRequest seen = attempt(step.attempt());
        Resolution resolution = switch (step.decision()) {
            case 0 -> new Resolution.Settle(outcome(500, true));
            case 1 -> new Resolution.Release();
            default -> new Resolution.Hold();
        };
        long token = lease(seen).token();
        boolean isCurrent = token == lastToken[keys.indexOf(seen.key())];
        boolean expected = isCurrent && model(seen).resolve(resolution, now());
        assertThat(ask(store.resolve(seen.key().digest(), token, resolution, "decided")))
                .isEqualTo(expected);
    }

    private void purge() {
        long outlived = models.stream().filter(model -> model.purge(now())).count();
        assertThat(ask(store.purge(100)).removed()).isEqualTo(outlived);
    }

    private void compareStates() {
        for (int i = 0; i < KEYS; i++) {
            KeyState seen =
                    ask(store.find(keys.get(i).digest())).map(KeyRecord::state).orElse(null);
            assertThat(seen).as("state of key %d", i).isEqualTo(models.get(i).state(now()));
        }
    }

    private static String describe(Claim claim) {
        if (claim instanceof Claim.Acquired acquired) {
            return "acquired " + acquired.lease().attempt()
                    + new TreeSet<>(acquired.steps().keySet());
        }
        if (claim instanceof Claim.Settled settled) {
            return "settled " + settled.outcome().status();
        }
        return String.join(" ", splitWords(claim.getClass().getSimpleName()));
    }

    private static List<String> splitWords(String name) {
        return Arrays.stream(name.split("(?<=.)(?=[A-Z])"))
                .map(String::toLowerCase)
                .toList();
    }

    /** The lease of an attempt; one that never got the key writes with what it might have had. */
    private Lease lease(ClaimRequest request) {
        return leases.getOrDefault(
                request.nonce(), new Lease(request.key().digest(), request.nonce(), Long.MAX_VALUE, 1));
    }

    private ClaimRequest attempt(int number) {
        return attempts.get(number % attempts.size());
    }

    private KeyModel model(ClaimRequest request) {
        return models.get(keys.indexOf(request.key()));
    }

    private Instant now() {
        return clock.instant();
    }

    /** Two bodies, a request for another operation, and the first body under other rules. */
    private static Fingerprint fingerprint(int body) {
        return switch (body) {
            case 2 -> Fingerprint.of("body 0").forOperation("refund");
            case 3 -> Fingerprint.of("body").withRules("amount");
            default -> Fingerprint.of("body " + body);
        };
    }

    private static Outcome outcome(int status, boolean success) {
        return (success ? Outcome.succeeded() : Outcome.failed())
                .status(status % 1000)
                .build();
    }

    private static Retention retention(int active, int tombstone, int audit) {
        return new Retention(seconds(active), seconds(audit), seconds(tombstone));
    }

    private static Duration seconds(int count) {
        return Duration.ofSeconds(count);
    }

    private static <T> T ask(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
