package dev.semel.testkit.life;

/** Something that happens to a store. Attempts are numbered in the order in which they first asked for their key. */
public sealed interface Step {

    /** A new request: with the same body a duplicate, with another one a misuse. */
    record Send(int key, int body, boolean takeOver, int lease, int retention) implements Step {}

    /** An attempt whose answer was lost asks again. */
    record SendAgain(int attempt) implements Step {}

    /** An attempt settles: in time, late, twice, or as a zombie. */
    record Settle(int attempt, boolean success, int retention, int tombstone, int audit) implements Step {}

    record Renew(int attempt, int lease) implements Step {}

    record Release(int attempt) implements Step {}

    record Abandon(int attempt) implements Step {}

    record Record(int attempt, int name) implements Step {}

    /** Time goes by: owners pause or crash, leases lapse, outcomes expire. */
    record Pass(int seconds) implements Step {}

    /** An operator decides about the attempt that they have seen. */
    record Resolve(int attempt, int decision) implements Step {}

    record Purge() implements Step {}
}
