package dev.semel.gateway.quota;

/** The decision whether a request is within its caller's limits. */
public sealed interface QuotaDecision permits QuotaUse, QuotaDecision.Over {

    /**
     * The caller is over a limit, and the request is refused.
     *
     * @param retryAfter when there may be room again, in seconds
     */
    record Over(Limit limit, long retryAfter) implements QuotaDecision {}
}
