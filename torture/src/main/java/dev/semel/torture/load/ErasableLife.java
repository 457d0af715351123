package dev.semel.torture.load;

import dev.semel.Key;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One life of a key that lasts until its scope is erased. */
final class ErasableLife implements Life {

    private static final long NO_END = TimeUnit.DAYS.toNanos(1);

    private final ErasedScope scope;
    private final Key key;
    private final int number;
    private final int erasures;
    private boolean begun;
    private boolean clear = true;
    private boolean settled;

    ErasableLife(ErasedScope scope, Key key, int number) {
        this.scope = scope;
        this.key = key;
        this.number = number;
        this.erasures = scope.erasures();
    }

    @Override
    public boolean isTombstone() {
        return false;
    }

    @Override
    public synchronized boolean begin() {
        if (!scope.enter(erasures)) {
            return false;
        }
        if (!begun) {
            begun = true;
            scope.ledger().beginLife(key, System.nanoTime() + NO_END);
        }
        return true;
    }

    @Override
    public void end(boolean inTime) {
        synchronized (this) {
            clear &= inTime;
        }
        scope.leave();
    }

    @Override
    public boolean isOver() {
        return scope.erasures() != erasures;
    }

    @Override
    public boolean endsByDecision() {
        return true;
    }

    @Override
    public Key judged() {
        return number == 0 ? key : Key.of(key.scope(), key.value() + NUMBER + number);
    }

    @Override
    public synchronized void settled() {
        settled = true;
    }

    /** 0 if it was settled and nothing is left of it, whenever it is erased. */
    @Override
    public synchronized @Nullable Long untilNext() {
        return settled && clear ? 0L : null;
    }

    @Override
    public Life next() {
        return new ErasableLife(scope, key, number + 1);
    }

    @Override
    public int number() {
        return number;
    }
}
