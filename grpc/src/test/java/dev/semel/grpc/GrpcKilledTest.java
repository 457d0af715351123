package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.grpc.TestCalls.Result;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import io.grpc.Channel;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Servers are killed while five calls each are between the claim of their key and its settle; their clients retry at another
 * server. Twenty operations, and none has a second effect.
 */
class GrpcKilledTest {

    private static final int KILLS = 4;
    private static final int CALLS = 5;

    /** The server that is killed: its service has its effect, and then never ends. */
    public static void main(String[] args) throws IOException {
        HikariDataSource pool = TestPostgres.pool(args[0], "postgres", 10);
        GrpcServer server = start(pool);
        server.service.effect = order -> {
            charge(pool, order);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        TestProcess.listens(server.port());
    }

    @Test
    void noRetryAtAnotherServerHasASecondEffect() throws Exception {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 10)) {
            TestPostgres.execute(pool, "create table charges (order_id text not null)");
            try (GrpcServer survivor = start(pool)) {
                survivor.service.effect = order -> charge(pool, order);
                Channel own = survivor.channel(builder -> builder);
                for (int kill = 1; kill <= KILLS; kill++) {
                    List<String> orders = new ArrayList<>();
                    try (TestProcess doomed = TestProcess.start(GrpcKilledTest.class, TestPostgres.url(database))) {
                        Channel channel = survivor.channel(doomed.port(), builder -> builder);
                        for (int i = 0; i < CALLS; i++) {
                            orders.add(UUID.randomUUID().toString());
                            send(channel, orders.get(i));
                        }
                        int expected = kill * CALLS;
                        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> charges(pool) == expected);
                    }
                    for (String order : orders) {
                        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> retry(own, order));
                    }
                }
                assertThat(charges(pool)).isEqualTo(KILLS * CALLS);
                assertThat(TestPostgres.number(pool, "select count(distinct order_id) from charges"))
                        .isEqualTo(KILLS * CALLS);
            }
        }
    }

    private static GrpcServer start(HikariDataSource pool) throws IOException {
        return new GrpcServer(
                new SwitchableStore(JdbcKeyStore.builder(pool).createIfMissing().build()));
    }

    private static void charge(HikariDataSource pool, String order) {
        TestPostgres.execute(pool, "insert into charges values ('" + order + "')");
    }

    private static long charges(HikariDataSource pool) {
        return TestPostgres.number(pool, "select count(*) from charges");
    }

    private static TestCalls.Sent send(Channel channel, String order) {
        return TestCalls.send(
                channel, GrpcServer.KILLED, TestCalls.headers(order), TestCalls.request("", order + "/charge"));
    }

    /** Whether the retry is told that the outcome is unknown; until the lease of the dead lapses, that it is in flight. */
    private static boolean retry(Channel channel, String order) {
        Result result = send(channel, order).now();
        assertThat(result.status().getCode()).as(result.text()).isIn(Status.Code.ABORTED, Status.Code.UNKNOWN);
        return result.status().getCode() == Status.Code.UNKNOWN
                && result.error().orElseThrow().getReason().equals("OUTCOME_UNKNOWN");
    }
}
