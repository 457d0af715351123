package dev.semel.demo;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.util.RecentlyUsed;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** A store that prints what each call did, for the demo. */
final class NarratedStore extends ForwardingKeyStore {

    private static final int REMEMBERED = 1_000;

    /** Gets notified of store calls. */
    @FunctionalInterface
    interface Narrator {
        void tell(String key, Mood mood, String what);
    }

    /** Whether an event is good or bad news. */
    enum Mood {
        GOOD,
        SAFE,
        BAD
    }

    private final Narrator narrator;
    private final Map<KeyDigest, String> names = RecentlyUsed.upTo(REMEMBERED);

    NarratedStore(KeyStore store, Narrator narrator) {
        super(store);
        this.narrator = narrator;
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        String key = request.key().value();
        names.put(request.key().digest(), key);
        return super.claim(request).whenComplete((claim, failure) -> {
            if (claim instanceof Claim.Acquired acquired) {
                narrator.tell(
                        key,
                        Mood.GOOD,
                        acquired.lease().attempt() == 1
                                ? "is new: the request goes to the service"
                                : "lost its owner: the service is asked what happened");
            } else if (claim instanceof Claim.Settled) {
                narrator.tell(key, Mood.SAFE, "was seen before: the stored response again, and no second charge");
            } else if (claim instanceof Claim.InFlight) {
                narrator.tell(key, Mood.SAFE, "is in flight: this request is asked to retry later");
            } else if (claim instanceof Claim.Mismatch) {
                narrator.tell(key, Mood.SAFE, "was used for another request: refused");
            } else if (claim instanceof Claim.Unknown) {
                narrator.tell(key, Mood.BAD, "waits for its outcome to be known: refused, and nothing runs");
            }
        });
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return super.settle(lease, outcome, retention)
                .whenComplete((settled, failure) -> tell(lease, Mood.GOOD, "is done: the response is stored"));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return super.abandon(lease)
                .whenComplete((abandoned, failure) -> tell(
                        lease, Mood.BAD, "got no answer: its outcome is unknown until you resolve it in the console"));
    }

    private void tell(Lease lease, Mood mood, String what) {
        String name = names.get(lease.digest());
        if (name != null) {
            narrator.tell(name, mood, what);
        }
    }
}
