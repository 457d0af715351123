package dev.semel.gateway.quota;

import java.time.Duration;

/** The share of its caller's limits that one request in flight uses, until it is closed. */
public final class QuotaUse implements QuotaDecision, AutoCloseable {

    private final Quotas quotas;
    private final Caller caller;
    private final int loop;
    private long buffered;
    private boolean closed;

    QuotaUse(Quotas quotas, Caller caller, int loop) {
        this.quotas = quotas;
        this.caller = caller;
        this.loop = loop;
    }

    Caller caller() {
        return caller;
    }

    /** Takes memory for a part of the request if the caller has room for it. */
    public boolean tryBuffer(long bytes) {
        synchronized (quotas) {
            if (!caller.mayBuffer(bytes)) {
                quotas.refused(caller, Limit.BUFFERED);
                return false;
            }
            buffer(bytes);
            return true;
        }
    }

    /** Takes memory for a part of the response in any case: the operation has run. */
    public void buffer(long bytes) {
        synchronized (quotas) {
            if (!closed) {
                buffered += bytes;
                caller.buffered += bytes;
            }
        }
    }

    /** Counts a response that the store keeps from now on. */
    public void kept(long bytes, Duration retention) {
        synchronized (quotas) {
            quotas.kept(caller, bytes, retention);
        }
    }

    /** Counts an operation whose outcome is unknown. */
    public void leftUnknown() {
        synchronized (quotas) {
            quotas.unknown().add(caller.name);
        }
    }

    /** Gives everything back that the request has taken. */
    @Override
    public void close() {
        synchronized (quotas) {
            if (!closed) {
                closed = true;
                caller.buffered -= buffered;
                caller.leave(loop);
                quotas.left(caller);
            }
        }
    }
}
