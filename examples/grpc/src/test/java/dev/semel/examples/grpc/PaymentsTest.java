package dev.semel.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.examples.grpc.messages.ChargeRequest;
import dev.semel.examples.grpc.messages.PaymentsGrpc;
import dev.semel.examples.grpc.messages.Receipt;
import dev.semel.grpc.SemelClientInterceptor;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The service in a process of its own, on PostgreSQL. */
class PaymentsTest {

    private static final ChargeRequest CHARGE =
            ChargeRequest.newBuilder().setOrder("1").setCents(4200).build();

    private final String key = UUID.randomUUID().toString();

    /** Runs a service that charges, and then never answers. */
    static final class Doomed {

        public static void main(String[] args) throws Exception {
            HikariDataSource database = TestPostgres.pool(args[0], "postgres", 5);
            PaymentsServer.run(database, Integer.parseInt(args[1]), processor -> new PaymentsService(processor) {
                @Override
                void charged(ChargeRequest request) {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
        }
    }

    @Test
    void aCallThatIsRepeatedAfterACrashChargesOnce() throws Exception {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 2)) {
            TestPostgres.execute(
                    pool,
                    "create table processor_charge (id serial, key text primary key, order_number text, cents bigint)");
            try (TestProcess doomed = TestProcess.start(Doomed.class, TestPostgres.url(database), "0")) {
                ManagedChannel channel = channel(doomed.port());
                PaymentsGrpc.newFutureStub(channel)
                        .withOption(SemelClientInterceptor.OPERATION_KEY, key)
                        .charge(CHARGE);
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> charges(pool) == 1);
                doomed.close();
                channel.shutdownNow();
            }

            try (TestProcess service = TestProcess.start(PaymentsServer.class, TestPostgres.url(database), "0")) {
                ManagedChannel channel = channel(service.port());
                Receipt receipt = Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptionsMatching(PaymentsTest::isInFlight)
                        .until(() -> charge(channel), found -> true);

                assertThat(charge(channel)).isEqualTo(receipt);
                channel.shutdownNow();
            }
            assertThat(charges(pool)).isEqualTo(1);
        }
    }

    private Receipt charge(ManagedChannel channel) {
        return PaymentsGrpc.newBlockingStub(channel)
                .withOption(SemelClientInterceptor.OPERATION_KEY, key)
                .charge(CHARGE);
    }

    /** Until the lease of the dead has lapsed. */
    private static boolean isInFlight(Throwable failure) {
        return failure instanceof StatusRuntimeException status
                && status.getStatus().getCode() == Status.Code.ABORTED;
    }

    private static ManagedChannel channel(int port) {
        SemelClientInterceptor keys = SemelClientInterceptor.of(PaymentsGrpc.getChargeMethod());
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .intercept(keys)
                .build();
    }

    private static long charges(HikariDataSource pool) {
        return TestPostgres.number(pool, "select count(*) from processor_charge");
    }
}
