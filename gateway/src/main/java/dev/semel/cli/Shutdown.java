package dev.semel.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs when the process gets a stop signal. */
final class Shutdown {

    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

    private Shutdown() {}

    /** Work that may fail. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** Runs the work on SIGTERM and SIGINT, before the process ends. */
    static void then(Work work) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (Exception e) {
                                log.error("the shutdown was not clean", e);
                            }
                        },
                        "semel-shutdown"));
    }
}
