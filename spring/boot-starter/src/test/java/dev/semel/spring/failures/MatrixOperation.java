package dev.semel.spring.failures;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.spring.FlakyStore;
import dev.semel.store.StoreUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.ResponseEntity;

/** An operation that ends as the failure matrix wants it, whatever kind of handler it is called by. */
final class MatrixOperation {

    static final AtomicInteger RUNS = new AtomicInteger();
    static volatile CompletableFuture<String> gate = new CompletableFuture<>();

    static final ExternalPolicy NESTED = Policy.external("nested").build();

    private MatrixOperation() {}

    static ResponseEntity<String> run(String how, Attempt attempt, Semel semel) throws Exception {
        String run = "run " + RUNS.incrementAndGet();
        return switch (how) {
            case "returns" -> ResponseEntity.ok(run);
            case "server-error" -> ResponseEntity.status(503).body(run);
            case "denied-after" -> ResponseEntity.status(403).body(run);
            case "throws" -> throw new IllegalStateException(run);
            case "not-executed" -> throw new NotExecutedException(run, null);
            case "outcome-unknown" -> throw new OutcomeUnknownException(run, null);
            case "wrapped" -> throw new IllegalStateException(new StoreUnavailableException(run, null));
            case "nested" ->
                ResponseEntity.ok(nested(semel, attempt.childKey("nested")).get());
            case "step-not-recorded" -> {
                FlakyStore.down = true;
                yield ResponseEntity.ok(attempt.step("charge", Codec.text(), () -> run));
            }
            case "store-down-at-settle" -> {
                FlakyStore.settlesFail = true;
                yield ResponseEntity.ok(run);
            }
            case "slow" -> ResponseEntity.ok(gate.join() + " of " + run);
            default -> throw new IllegalArgumentException(how);
        };
    }

    static Execution<String> nested(Semel semel, String key) {
        return semel.operation(NESTED, OutcomeCodec.text())
                .run(nestedKey(key), Fingerprint.of("nested"), attempt -> "nested");
    }

    static Key nestedKey(String key) {
        return Key.of("matrix", key);
    }
}
