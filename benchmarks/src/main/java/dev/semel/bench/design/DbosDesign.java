package dev.semel.bench.design;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;

/** DBOS: a durable workflow whose id is the key. */
public final class DbosDesign extends Design {

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
        super("dbos", server, connections, "dbos.workflow_status");
        this.dbos = new DBOS(DBOSConfig.defaults("bench")
                .withDataSource(pool)
                .withMigrate(true)
                .withUseListenNotify(false));
        this.charge = dbos.registerProxy(Charge.class, new ChargeWorkflow());
        dbos.launch();
    }

    @Override
    public void cycle(String key) {
        String outcome = dbos.startWorkflow(() -> charge.run(key), new StartWorkflowOptions(key))
                .getResult();
        require(outcome.equals(Payload.of(key)), key, "has another outcome");
    }

    @Override
    String settled() {
        return "status = 'SUCCESS'";
    }

    @Override
    public void close() {
        dbos.shutdown();
        super.close();
    }
}
