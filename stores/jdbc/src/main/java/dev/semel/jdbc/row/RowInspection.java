package dev.semel.jdbc.row;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Resolution;
import dev.semel.spi.life.KeyLife;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches and resolutions on {@link KeyRow}s. Rows are walked in the order of their ids, a bounded stretch at a time.
 */
public abstract class RowInspection implements TableInspection {

    /** How many ids a page looks at. */
    protected static final int STRETCH = 20_000;

    private static final long MOST_BYTES = 16 << 20;

    /** Makes a request on a key that need not be there, and if the answer is true, writes the rest of the transaction. */
    protected abstract <Q> boolean change(
            Connection connection,
            KeyDigest digest,
            Q request,
            KeyDecision<Q, Boolean> decision,
            RestOfTransaction rest)
            throws SQLException;

    @Override
    public boolean resolve(
            Connection connection,
            KeyDigest digest,
            long token,
            Resolution resolution,
            String reason,
            RestOfTransaction rest)
            throws SQLException {
        return change(
                connection,
                digest,
                resolution,
                (key, to, moment) -> KeyLife.resolve(key, token, to, reason, moment),
                rest);
    }

    @Override
    public boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        return change(
                connection, digest, token, (key, asked, moment) -> KeyLife.erase(key, asked), (transaction, now) -> {});
    }

    /** The id after which a page begins. */
    protected static long after(KeyQuery query) {
        String cursor = query.cursor();
        if (cursor == null) {
            return 0;
        }
        if (!cursor.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("not a cursor of this store: \"" + cursor + "\"");
        }
        return Long.parseLong(cursor);
    }

    /** The page of these rows, as of the column {@code asked_at}; {@code next} is the cursor behind the last of them. */
    protected static KeyPage page(ResultSet rows, KeyQuery query, @Nullable String next) throws SQLException {
        List<KeyRecord> records = new ArrayList<>();
        long bytes = 0;
        while (rows.next()) {
            KeyRow row = new KeyRow(rows, rows.getLong("asked_at"));
            KeyRecord record = row.toRecord();
            if (query.state() != null && query.state() != record.state()) {
                continue;
            }
            records.add(record);
            bytes += row.weight();
            if (records.size() == query.limit() || bytes >= MOST_BYTES) {
                return new KeyPage(records, Long.toString(row.id()));
            }
        }
        return new KeyPage(records, next);
    }
}
