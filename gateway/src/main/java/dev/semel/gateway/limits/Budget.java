package dev.semel.gateway.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that bodies of protected requests and responses may take, over all event loops. Large requests leave a part
 * of it to responses, and both leave a part of it to small requests.
 */
public final class Budget {

    /** Up to here a body is small. */
    public static final int SMALL = 64 << 10;

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public Budget(long limit) {
        this.limit = limit;
    }

    /** Whether a request that holds so many bytes may hold so many more, which it then does. */
    public boolean tryTakeForRequest(long held, long more) {
        return tryTake(more, roomFor(held + more));
    }

    /** Whether a request of this size finds room at the moment. */
    public boolean hasRoomFor(long request) {
        return used.get() + request <= roomFor(request);
    }

    private long roomFor(long request) {
        return request <= SMALL ? limit : limit / 4 * 3;
    }

    /** The same for a response. A small one always may: what an operation has answered must not be lost. */
    public boolean tryTakeForResponse(long held, long more) {
        return tryTake(more, held + more <= SMALL ? Long.MAX_VALUE : limit / 8 * 7);
    }

    private boolean tryTake(long bytes, long room) {
        if (used.addAndGet(bytes) <= room) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    public void give(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }
}
