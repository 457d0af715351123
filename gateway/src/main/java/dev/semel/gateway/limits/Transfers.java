package dev.semel.gateway.limits;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The responses of one event loop that are too large to keep, on their way from the upstream to their clients. Each needs
 * its connection to the upstream for as long as its client takes, so that only so many are let go on: beyond, the one ends
 * whose client has not read for longest.
 */
public final class Transfers {

    private final int most;
    private final Map<Transfer, Runnable> open = new LinkedHashMap<>(16, 0.75f, true);

    public Transfers(int most) {
        this.most = most;
    }

    /** Makes room for one more; {@code breakOff} ends it. */
    public Transfer start(Runnable breakOff) {
        if (open.size() >= most) {
            Iterator<Runnable> eldest = open.values().iterator();
            Runnable ends = eldest.next();
            eldest.remove();
            ends.run();
        }
        Transfer transfer = new Transfer();
        open.put(transfer, breakOff);
        return transfer;
    }

    /** One of them. */
    public final class Transfer {

        private Transfer() {}

        /** Records that the client has read something. */
        public void touch() {
            open.get(this);
        }

        public void ended() {
            open.remove(this);
        }
    }
}
