package dev.semel.jdbc.lane;

import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.spi.Batching.Batches;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the batches that a lane has sent. */
final class LaneCounts {

    private static final String POSTGRES_DEADLOCK = "40P01";
    private static final int MYSQL_DEADLOCK = 1213;

    private final LongAdder batches = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder lockWaits = new LongAdder();
    private final LongAdder deadlocks = new LongAdder();

    void sent(int size) {
        batches.increment();
        calls.add(size);
    }

    void failed(SqlFailure failure, SQLException why) {
        if (failure == SqlFailure.LOCKED) {
            lockWaits.increment();
        } else if (POSTGRES_DEADLOCK.equals(why.getSQLState()) || why.getErrorCode() == MYSQL_DEADLOCK) {
            deadlocks.increment();
        }
    }

    Batches read(long queued) {
        return Batches.of(queued, batches.sum(), calls.sum())
                .withLockWaits(lockWaits.sum())
                .withDeadlocks(deadlocks.sum());
    }
}
