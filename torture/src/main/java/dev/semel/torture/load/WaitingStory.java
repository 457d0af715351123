package dev.semel.torture.load;

import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A story that goes on at this moment, as {@link System#nanoTime} counts. */
record WaitingStory(Story story, long due) implements Delayed {

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
