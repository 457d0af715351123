package dev.semel.gateway.quota;

/** The answer to a request that asks for room. */
public sealed interface QuotaDecision permits QuotaUse, QuotaDecision.Over {

    /**
     * The caller is over a limit, and the request is refused.
     *
     * @param retryAfter when there may be room again, in seconds
     */
    record Over(Limit limit, long retryAfter) implements QuotaDecision {}
}
