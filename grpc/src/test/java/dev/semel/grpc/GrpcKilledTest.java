package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.grpc.TestCalls.Result;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.Gate;
import dev.semel.testkit.StoreCall;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.KilledCalls;
import dev.semel.testservers.KilledCalls.Moment;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import io.grpc.Channel;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Twenty servers are killed, each while a call is between the claim of its key and its settle; their clients retry at
 * another server. None has a second effect.
 */
class GrpcKilledTest {

    private static final int KILLS = 20;

    /** The server that is killed: its calls never end. */
    public static void main(String[] args) throws IOException {
        HikariDataSource pool = TestPostgres.pool(args[0], "postgres", 10);
        FaultyStore store = FaultyStore.around(store(pool));
        Gate settling = store.hold(StoreCall.SETTLE);
        GrpcServer server = new GrpcServer(new SwitchableStore(store.store()));
        server.service.effect = KilledCalls.doomed(pool, Moment.valueOf(args[1]), settling::awaitArrival);
        TestProcess.listens(server.port());
    }

    @Test
    void noRetryAtAnotherServerHasASecondEffect() throws Exception {
        try (KilledCalls calls = new KilledCalls(TestPostgres.newDatabase());
                GrpcServer survivor = new GrpcServer(new SwitchableStore(store(calls.pool())))) {
            survivor.service.effect = order -> KilledCalls.charge(calls.pool(), order);
            Channel own = survivor.channel(builder -> builder);

            Map<String, Moment> killed = calls.kill(
                    KILLS,
                    GrpcKilledTest.class,
                    (port, order) -> send(survivor.channel(port, builder -> builder), order));

            killed.forEach((order, moment) -> {
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> retry(own, order));
                assertThat(calls.charges(order))
                        .as("killed when " + moment)
                        .isEqualTo(moment == Moment.CLAIMED ? 0 : 1);
            });
            assertThat(killed).hasSize(KILLS);
        }
    }

    private static JdbcKeyStore store(DataSource pool) {
        return JdbcKeyStore.builder(pool).createIfMissing().build();
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
