package dev.semel.bench.design;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import java.sql.SQLException;

/** DBOS: a durable workflow whose id is the key. */
public final class DbosDesign implements Design {

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final DBOS dbos;
    private final Charge charge;

    /** What the workflow does. */
    public interface Charge {

        @Workflow(name = "charge")
        String run(String key);
    }

    /** Makes the outcome, and nothing else. */
    static final class ChargeWorkflow implements Charge {

        @Override
        @Workflow(name = "charge")
        public String run(String key) {
            return Payload.of(key);
        }
    }

    public DbosDesign(PostgresServer server, int connections) {
        this.server = server;
        this.pool = server.pool(connections);
        this.dbos = new DBOS(DBOSConfig.defaults("bench")
                .withDataSource(pool)
                .withMigrate(true)
                .withUseListenNotify(false));
        this.charge = dbos.registerProxy(Charge.class, new ChargeWorkflow());
        dbos.launch();
    }

    @Override
    public String name() {
        return "dbos";
    }

    @Override
    public void clear() throws SQLException {
        server.execute("TRUNCATE dbos.workflow_status CASCADE");
    }

    @Override
    public void cycle(String key) {
        String outcome = dbos.startWorkflow(() -> charge.run(key), new StartWorkflowOptions(key))
                .getResult();
        if (!outcome.equals(Payload.of(key))) {
            throw new IllegalStateException("workflow " + key + " has another outcome");
        }
    }

    @Override
    public void verify(long cycles) throws SQLException {
        Verification.requireEqual(
                name(), cycles, server.number("SELECT count(*) FROM dbos.workflow_status WHERE status = 'SUCCESS'"));
    }

    @Override
    public long bytes() {
        return -1;
    }

    @Override
    public void close() {
        dbos.shutdown();
        pool.close();
    }
}
