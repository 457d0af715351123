package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.torture.fault.QuietScope;
import dev.semel.torture.server.Ledger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A scope whose keys are erased from time to time. As the docs ask for, that is done when no client retries any more: nothing is sent
 * meanwhile, and what was sent has ended. All its lives end there; those that can go on were settled, so that they must be gone.
 */
public final class ErasedScope implements QuietScope {

    private static final String NAME = "erin";

    private static final int MOST_WAITING = 40;

    private final Ledger ledger;
    private final Duration patience;
    private final Deque<Story> waiting = new ArrayDeque<>();
    private final Deque<Story> due = new ArrayDeque<>();
    private String name = NAME;
    private int underWay;
    private boolean closed;
    private int erasures;

    /** @param patience longer than any client waits for an answer */
    ErasedScope(Ledger ledger, Duration patience) {
        this.ledger = ledger;
        this.patience = patience;
    }

    synchronized String name() {
        return name;
    }

    /** The first life of a key in this scope. */
    Life first(Key key) {
        return new ErasableLife(this, key, 0);
    }

    Ledger ledger() {
        return ledger;
    }

    /** How often the scope has been erased, which ends all lives in it. */
    synchronized int erasures() {
        return erasures;
    }

    /** Begins a request of a life that began after so many erasures. */
    synchronized boolean enter(int after) {
        if (closed || erasures != after) {
            return false;
        }
        underWay++;
        return true;
    }

    synchronized void leave() {
        underWay--;
        notifyAll();
    }

    /** Lets the story go on after the next erasure. */
    synchronized void await(Story story) {
        if (waiting.size() < MOST_WAITING) {
            waiting.add(story);
        }
    }

    /** A story whose key has been erased; {@code null} if there is none. */
    synchronized @Nullable Story poll() {
        return due.poll();
    }

    @Override
    public boolean erase(Erasing erasure) throws Exception {
        if (!close()) {
            return false;
        }
        boolean done = false;
        try {
            done = erasure.erase(name());
            return done;
        } finally {
            open(done);
        }
    }

    private synchronized boolean close() throws InterruptedException {
        closed = true;
        long deadline = System.nanoTime() + patience.toNanos();
        while (underWay > 0 && System.nanoTime() < deadline) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        closed = underWay == 0;
        return closed;
    }

    /** An erasure that failed may go on later, for example in a suspended gateway: its scope is not used any more. */
    private synchronized void open(boolean done) {
        erasures++;
        name = done ? name : NAME + "-" + erasures;
        closed = false;
        due.clear();
        if (done) {
            due.addAll(waiting);
        }
        waiting.clear();
    }
}
