package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.service.SystemUnderTest;
import java.nio.charset.StandardCharsets;

/**
 * DBOS: a durable workflow whose id is the key, with the effect in a step. A step is run at least once, and again by the
 * next incarnation of its executor if that died before the step was recorded; it promises no more for effects outside.
 */
final class DbosWorkflow implements SystemUnderTest {

    private final DBOS dbos;
    private final Charge charge;

    /** What the workflow does. */
    public interface Charge {

        /** Has the effect in a step, and returns its outcome. */
        @Workflow(name = "charge")
        String run(String scope, String key, String id, long work, String behaviour) throws Exception;
    }

    /** The workflow itself, with values that a recovery can read back. */
    record ChargeWorkflow(DBOS dbos, Business business) implements Charge {

        @Override
        @Workflow(name = "charge")
        public String run(String scope, String key, String id, long work, String behaviour) throws Exception {
            ServiceRequest request =
                    new ServiceRequest(Operation.HOLD, scope, key, id, new byte[0], work, Behaviour.valueOf(behaviour));
            return dbos.runStep(() -> new String(business.runOutside(request, 1, 0), StandardCharsets.UTF_8), "effect");
        }
    }

    DbosWorkflow(HikariDataSource pool, Business business, String executor) {
        this.dbos = new DBOS(DBOSConfig.defaults("torture")
                .withDataSource(pool)
                .withExecutorId(executor)
                .withAppVersion("1")
                .withMigrate(true));
        this.charge = dbos.registerProxy(Charge.class, new ChargeWorkflow(dbos, business));
        dbos.launch();
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        String outcome = dbos.startWorkflow(
                        () -> charge.run(
                                request.scope(),
                                request.key(),
                                request.id(),
                                request.work(),
                                request.behaviour().name()),
                        new StartWorkflowOptions(SqlPeer.scoped(request)))
                .getResult();
        return ServiceReply.replayed(outcome.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        dbos.shutdown();
    }
}
