package dev.semel.engine;

import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import dev.semel.store.StoreUnavailableException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes one line for each unusual event, with the key's digest and never its value. A failure is described in the same
 * line; its stack trace is logged at debug level.
 */
final class LoggingListener implements SemelListener {

    private static final Logger log = LoggerFactory.getLogger(Events.LOGGER);

    private static final int LONGEST_CAUSE = 300;

    /** While the store is down, one line has said so; the failures that follow from it are not logged again. */
    private volatile boolean storeIsDown;

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
                    "event=fenced operation={} key={} token={} write={}",
                    fenced.operation(),
                    fenced.digest(),
                    fenced.token(),
                    fenced.write());
        } else if (event instanceof SemelEvent.Abandoned abandoned) {
            log.warn(
                    "event=unknown operation={} key={}{}",
                    abandoned.operation(),
                    abandoned.digest(),
                    because(abandoned.cause()));
        } else if (event instanceof SemelEvent.StoreDown || event instanceof SemelEvent.StoreUp) {
            onOutage(event);
        } else {
            onFailure(event);
        }
    }

    private void onOutage(SemelEvent event) {
        if (event instanceof SemelEvent.StoreDown down) {
            storeIsDown = true;
            log.error(
                    "event=store_down since={} meaning=\"claims are refused until the store answers again\"{}",
                    down.since(),
                    because(down.cause()));
        } else if (event instanceof SemelEvent.StoreUp up) {
            storeIsDown = false;
            log.warn(
                    "event=store_up since={} down_for={} meaning=\"the store answers again\"",
                    up.downSince().plus(up.wasDown()),
                    up.wasDown().truncatedTo(ChronoUnit.MILLIS));
        }
    }

    private void onFailure(SemelEvent event) {
        if (event instanceof SemelEvent.SettleFailed failed) {
            log.error(
                    "event=settle_failed operation={} key={} token={} meaning=\"ran, but its outcome is not stored\"{}",
                    failed.operation(),
                    failed.digest(),
                    failed.token(),
                    because(failed.cause()));
        } else if (event instanceof SemelEvent.Unprotected unprotected) {
            log.error(
                    "event=unprotected operation={} key={} meaning=\"runs unprotected while the store is down\"{}",
                    unprotected.operation(),
                    unprotected.digest(),
                    because(unprotected.cause()));
        } else if (event instanceof SemelEvent.MaintenanceFailed failed) {
            log.atLevel(storeIsDown && failed.cause() instanceof StoreUnavailableException ? Level.DEBUG : Level.WARN)
                    .log("event=maintenance_failed task=\"{}\"{}", failed.task(), because(failed.cause()));
        }
    }

    /** Only the first line of the message, because databases add the content of the row below it. */
    private static String because(@Nullable Throwable cause) {
        if (cause == null) {
            return "";
        }
        log.debug("the cause of the next line", cause);
        String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        String shown = message.length() > LONGEST_CAUSE ? message.substring(0, LONGEST_CAUSE) : message;
        return " cause=\"" + cause.getClass().getSimpleName() + ": "
                + shown.replaceAll("\\p{Cntrl}", " ").replace('"', '\'') + "\"";
    }
}
