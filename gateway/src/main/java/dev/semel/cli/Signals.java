package dev.semel.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a signal that does not end the process. Java's only API for this is {@code sun.misc.Signal}, which is used by
 * reflection because its compiler warning cannot be suppressed.
 */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** Runs the work on each SIGHUP, one after the other; where there is no such signal, never. */
    static void onHangUp(Runnable work) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object before = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handler(handler, work));
            if (before == handler.getField("SIG_IGN").get(null)) {
                log.info(
                        "SIGHUP is ignored, as after nohup: the configuration is not read again before the next start");
            }
        } catch (InvocationTargetException e) {
            log.debug("this system has no SIGHUP, or the JVM keeps it for itself", e.getCause());
        } catch (ReflectiveOperationException e) {
            log.debug("this Java does not say when a signal comes", e);
        }
    }

    private static Object handler(Class<?> type, Runnable work) {
        return Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    synchronized (Signals.class) {
                        work.run();
                    }
                    return null;
                });
    }
}
