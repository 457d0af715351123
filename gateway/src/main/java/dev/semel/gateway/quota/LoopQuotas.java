package dev.semel.gateway.quota;

import org.jspecify.annotations.Nullable;

/** The quotas as the requests of one event loop see them: no caller may take all of one loop's connections either. */
public record LoopQuotas(Quotas quotas, int loop) {

    /**
     * Lets a request in, or says over which limit its caller is. Asks no store.
     *
     * @param scope the caller; one that is not known has no limits, and the request will be refused for that
     * @param announced how large the body will be, as far as that is known
     */
    public QuotaDecision enter(@Nullable String scope, long announced) {
        return quotas.enter(scope, loop, announced);
    }

    /** The same for a request that only asks for an outcome: it leaves no key, and takes no memory. */
    public QuotaDecision look(@Nullable String scope) {
        return quotas.look(scope, loop);
    }
}
