package dev.semel.gateway.proxy;

import dev.semel.gateway.limits.Budget;
import dev.semel.gateway.limits.StreamLimit;
import dev.semel.gateway.limits.Transfers;
import dev.semel.gateway.log.AccessLog;
import dev.semel.gateway.quota.LoopQuotas;
import dev.semel.gateway.stats.Counters;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.gateway.stats.RequestTimes;
import dev.semel.gateway.stats.UpstreamHealth;
import dev.semel.http.ReceiveLimits;
import io.vertx.core.Vertx;

/** The objects that the requests of one event loop share. */
record LoopContext(
        Vertx vertx,
        UpstreamClient upstream,
        Connections connections,
        IdleWatch idle,
        Counters counters,
        UpstreamHealth upstreamHealth,
        RequestTimes times,
        Budget budget,
        StreamLimit streams,
        Transfers transfers,
        ReceiveLimits receiving,
        AccessLog access,
        LoopQuotas quotas) {

    void upstreamFailed(UpstreamFailure failure) {
        counters.add(Count.UPSTREAM_FAILURES);
        counters.add(failure.reason());
        if (UpstreamHealth.BLAMES_UPSTREAM.contains(failure.reason())) {
            upstreamHealth.failed(failure.reason());
        }
    }
}
