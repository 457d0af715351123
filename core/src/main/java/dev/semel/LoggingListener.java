package dev.semel;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one line for each unusual event, with the key's digest and never its value. */
final class LoggingListener implements SemelListener {

    private static final Logger log = LoggerFactory.getLogger(Semel.class);

    @Override
    public void on(SemelEvent event) {
        if (event instanceof SemelEvent.TakenOver taken) {
            log.warn(
                    "event=taken_over operation={} key={} attempt={} token={}",
                    taken.operation(),
                    taken.digest(),
                    taken.attempt(),
                    taken.token());
        } else if (event instanceof SemelEvent.Lapsed lapsed) {
            log.warn(
                    "event=lapsed operation={} key={} attempt={} recovery={}",
                    lapsed.operation(),
                    lapsed.digest(),
                    lapsed.attempt(),
                    lapsed.recovery());
        } else if (event instanceof SemelEvent.FencedOff fenced) {
            log.warn(
                    "event=fenced_off operation={} key={} token={} write={}",
                    fenced.operation(),
                    fenced.digest(),
                    fenced.token(),
                    fenced.write());
        } else if (event instanceof SemelEvent.Abandoned abandoned) {
            log.warn("event=unknown operation={} key={}", abandoned.operation(), abandoned.digest(), abandoned.cause());
        } else if (event instanceof SemelEvent.SettleFailed failed) {
            log.error(
                    "event=settle_failed operation={} key={} token={}: the operation ran, but its outcome is not stored",
                    failed.operation(),
                    failed.digest(),
                    failed.token(),
                    failed.cause());
        } else if (event instanceof SemelEvent.Unprotected unprotected) {
            log.error(
                    "event=unprotected operation={} key={}: the store is down and the policy is to run all the same",
                    unprotected.operation(),
                    unprotected.digest(),
                    unprotected.cause());
        } else if (event instanceof SemelEvent.MaintenanceFailed failed) {
            log.warn("event=maintenance_failed task={}", failed.task(), failed.cause());
        }
    }
}
