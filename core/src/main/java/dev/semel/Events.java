package dev.semel;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener; one that throws is reported and changes nothing. */
final class Events {

    private static final Logger log = LoggerFactory.getLogger(Semel.class);

    private final List<SemelListener> listeners;

    Events(List<SemelListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void tell(SemelEvent event) {
        for (SemelListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException e) {
                log.warn("listener {} failed on {}", listener.getClass().getName(), event, e);
            }
        }
    }
}
