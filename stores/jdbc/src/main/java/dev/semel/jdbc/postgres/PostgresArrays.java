package dev.semel.jdbc.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement, one after the other, to arrays with one element for each request. */
final class PostgresArrays {

    private static final int UUID_DIGITS = 32;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Connection connection;
    private final PreparedStatement statement;
    private final int size;
    private int next;

    PostgresArrays(Connection connection, PreparedStatement statement, int first, int size) {
        this.connection = connection;
        this.statement = statement;
        this.next = first;
        this.size = size;
    }

    <Q> void uuids(List<Q> requests, Function<Q, UUID> value) throws SQLException {
        // Not with createArrayOf, which took an eighth of the processor time of a busy store for this.
        byte[] text = new byte[size * (UUID_DIGITS + 1) + 2];
        int at = 0;
        text[at++] = '{';
        for (int i = 0; i < size; i++) {
            if (i > 0) {
                text[at++] = ',';
            }
            UUID uuid = value.apply(requests.get(i));
            at = hex(uuid.getMostSignificantBits(), text, at);
            at = hex(uuid.getLeastSignificantBits(), text, at);
        }
        text[at++] = '}';
        statement.setObject(next++, new String(text, 0, at, StandardCharsets.US_ASCII), Types.OTHER);
    }

    private static int hex(long bits, byte[] text, int at) {
        int end = at + UUID_DIGITS / 2;
        long left = bits;
        for (int i = end - 1; i >= at; i--) {
            text[i] = HEX[(int) (left & 0xf)];
            left >>>= 4;
        }
        return end;
    }

    <Q> void bytes(List<Q> requests, Function<Q, byte @Nullable []> value) throws SQLException {
        set("bytea", fill(new byte[size][], requests, value));
    }

    <Q> void texts(List<Q> requests, Function<Q, @Nullable String> value) throws SQLException {
        set("text", fill(new String[size], requests, value));
    }

    <Q> void longs(List<Q> requests, Function<Q, @Nullable Long> value) throws SQLException {
        set("int8", fill(new Long[size], requests, value));
    }

    <Q> void booleans(List<Q> requests, Function<Q, Boolean> value) throws SQLException {
        set("bool", fill(new Boolean[size], requests, value));
    }

    <Q> void shorts(List<Q> requests, ToIntFunction<Q> value) throws SQLException {
        set("int2", fill(new Short[size], requests, request -> (short) value.applyAsInt(request)));
    }

    private static <Q, T> @Nullable T[] fill(
            @Nullable T[] array, List<Q> requests, Function<Q, ? extends @Nullable T> value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value.apply(requests.get(i));
        }
        return array;
    }

    private void set(String type, @Nullable Object[] elements) throws SQLException {
        Array array = connection.createArrayOf(type, elements);
        statement.setArray(next++, array);
    }
}
