package dev.semel.torture.node;

import dev.semel.Outcome;
import dev.semel.policy.Reconciler;
import dev.semel.torture.service.LedgerClient;
import dev.semel.torture.service.LedgerClient.Finding;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Finds out in the ledger how an attempt ended. Sometimes that takes long, and sometimes the outcome is still unknown. Where
 * effects are shown late, an attempt whose lease has ended too recently may have had one.
 */
record LedgerReconciler(Operation operation, LedgerClient ledger, Bug bug) implements Reconciler {

    @Override
    public CompletionStage<Verdict> reconcile(Case lapsed) {
        return CompletableFuture.completedFuture(
                bug == Bug.RECONCILER_GUESSES ? new Verdict.NotExecuted() : verdict(lapsed));
    }

    private Verdict verdict(Case lapsed) {
        try {
            int dice = ThreadLocalRandom.current().nextInt(4);
            if (dice == 0) {
                return new Verdict.CannotTell();
            }
            TimeUnit.MILLISECONDS.sleep(dice == 1 ? 1_000 : 0);
            Finding finding = ledger.reconcile(operation, ServiceRequest.asSent(lapsed.key()));
            if (finding instanceof Finding.Done done) {
                return new Verdict.Done(
                        Outcome.succeeded().status(200).payload(done.payload()).build());
            }
            return finding instanceof Finding.NothingYet nothing ? late(lapsed, nothing) : new Verdict.NotExecuted();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Verdict.CannotTell();
        }
    }

    private Verdict late(Case lapsed, Finding.NothingYet nothing) throws IOException {
        if (lapsed.age().compareTo(nothing.allShownAfter()) < 0 && bug != Bug.RECONCILER_FORGETS_AGE) {
            return new Verdict.CannotTell();
        }
        ledger.notExecuted(operation, ServiceRequest.asSent(lapsed.key()));
        return new Verdict.NotExecuted();
    }
}
