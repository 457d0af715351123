package dev.semel.bench.design;

import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import java.sql.SQLException;

/** Semel's store on a table that holds many settled keys already. */
public final class StandingKeys extends SemelDesign {

    private static final String TABLE = "semel_full";

    /** Packed tightly, as no update is to come, and with the index made at the end. */
    private static final String FILL = """
            ALTER TABLE semel_full DROP CONSTRAINT semel_full_pkey;
            ALTER TABLE semel_full SET (fillfactor = 100, autovacuum_enabled = false);
            INSERT INTO semel_full (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint, scope, key,
                operation, state, status, format, settled_at, expires_at, headers, body)
            SELECT key::uuid, key::uuid, n, now(), now(), 1, decode(rpad('01', 66, 'a'), 'hex'), 'customer-17', key,
                'charge', 2, 201, 1, now(), now() + interval '24 h', convert_to(E'\\tapplication/json\\n', 'UTF8'),
                convert_to(%s, 'UTF8')
            FROM (SELECT n, gen_random_uuid()::text AS key FROM generate_series(1, %d) AS n) AS standing;
            ALTER TABLE semel_full RESET (fillfactor, autovacuum_enabled);
            ALTER TABLE semel_full SET (fillfactor = 20);
            ALTER TABLE semel_full ADD CONSTRAINT semel_full_pkey PRIMARY KEY (digest)""";

    private String since = "-infinity";

    public StandingKeys(PostgresServer server, int connections) {
        super("semel, full", server, connections, TABLE);
    }

    public void fill(int keys) {
        server.execute(String.format(FILL, Payload.sql("key"), keys), "VACUUM ANALYZE semel_full");
    }

    /** The standing keys stay; only those that come after count. */
    @Override
    public void clear() throws SQLException {
        since = server.text("SELECT clock_timestamp()::text");
    }

    @Override
    String settled() {
        return super.settled() + " AND claimed_at >= '" + since + "'";
    }

    @Override
    public long bytes() {
        return -1;
    }
}
