package dev.semel.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. */
public final class SettableClock implements InstantSource {

    private Instant now;

    private SettableClock(Instant start) {
        this.now = start;
    }

    /** A clock that shows the given time. To test whose clock decides, choose a time that no other clock shows. */
    public static SettableClock at(Instant start) {
        return new SettableClock(start);
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves the clock on; a negative duration turns it back, as happens to real clocks. */
    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }

    public synchronized void set(Instant instant) {
        now = instant;
    }

    @Override
    public String toString() {
        return "SettableClock[" + instant() + "]";
    }
}
