package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.StoredKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The claims of one transaction of SQLite, and the tokens that they are given. */
final class SqliteClaims {

    private SqliteClaims() {}

    static List<@Nullable Claim> claim(Connection connection, TableName table, List<ClaimRequest> requests, long now)
            throws SQLException {
        long last = PLAIN.one(connection, table.in("SELECT last FROM {key}_token"), row -> row.getLong(1));
        long token = last;
        List<@Nullable Claim> claims = new ArrayList<>(requests.size());
        try (SqliteRows rows = new SqliteRows(connection, table, now)) {
            for (ClaimRequest request : requests) {
                long nextToken = token + 1;
                Change<Claim> change = rows.change(
                        request.key().digest(),
                        request,
                        (key, each, moment) -> KeyLife.claim(key, each, moment, nextToken));
                StoredKey claimed = change.next();
                token = change.changed() && claimed != null ? claimed.token() : token;
                claims.add(change.answer());
            }
        }
        if (token > last) {
            raiseTokens(connection, table, token);
        }
        return claims;
    }

    /** Lets every token from now on be larger than this one. */
    static void raiseTokens(Connection connection, TableName table, long token) throws SQLException {
        PLAIN.update(connection, table.in("UPDATE {key}_token SET last = max(last, ?)"), token);
    }
}
