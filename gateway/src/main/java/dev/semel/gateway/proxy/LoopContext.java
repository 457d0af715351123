package dev.semel.gateway.proxy;

import dev.semel.gateway.limits.Budget;
import dev.semel.gateway.limits.StreamLimit;
import dev.semel.gateway.limits.Transfers;
import dev.semel.gateway.quota.LoopQuotas;
import dev.semel.gateway.stats.Counters;
import dev.semel.http.ReceiveLimits;
import io.vertx.core.Vertx;

/** What the requests of one event loop share. */
record LoopContext(
        Vertx vertx,
        UpstreamClient upstream,
        Connections connections,
        IdleWatch idle,
        Counters counters,
        Budget budget,
        StreamLimit streams,
        Transfers transfers,
        ReceiveLimits receiving,
        LoopQuotas quotas) {}
