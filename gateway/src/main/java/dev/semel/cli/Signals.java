package dev.semel.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** What is done on a signal that does not end the process. */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** Runs the work on each SIGHUP, one after the other; where there is no such signal, never. */
    static void onHangUp(Runnable work) {
        try {
            SignalHandler before = Signal.handle(new Signal("HUP"), signal -> {
                synchronized (Signals.class) {
                    work.run();
                }
            });
            if (before == SignalHandler.SIG_IGN) {
                log.info(
                        "SIGHUP is ignored, as after nohup: the configuration is not read again before the next start");
            }
        } catch (IllegalArgumentException e) {
            log.debug("this system has no SIGHUP, or the JVM keeps it for itself", e);
        }
    }
}
