package dev.semel.bench.scale;

/**
 * What one measurement with some gateways found; all but the first two for each request.
 *
 * @param fairness the least requests of a gateway over the most of another
 * @param serverCpu microseconds of all servers of the store
 * @param primaryCpu those of the servers that accept writes
 * @param gatewayCpu microseconds of all gateways, without those that their compilers took
 * @param logBytes what the servers wrote to their log
 * @param dataBytes what was kept, with indexes
 * @param lockWaits batches that met a locked row, or ended a deadlock, and were sent again
 * @param waits requests whose key another one had claimed and not yet settled
 */
record Turn(
        double perSecond,
        double fairness,
        double serverCpu,
        double primaryCpu,
        double gatewayCpu,
        double logBytes,
        double roundTrips,
        double dataBytes,
        double indexBytes,
        double lockWaits,
        double waits) {

    double cpu() {
        return serverCpu + gatewayCpu;
    }
}
