package dev.semel.examples.grpc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.examples.grpc.messages.PaymentsGrpc;
import dev.semel.grpc.CallerScope;
import dev.semel.grpc.GrpcRules;
import dev.semel.grpc.SemelServerInterceptor;
import dev.semel.http.HttpGate;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;

/** Runs the service: {@code PaymentsServer jdbc:postgresql://localhost/payments?user=payments 8081}. */
public final class PaymentsServer {

    private PaymentsServer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(args[0]);
        run(new HikariDataSource(pool), Integer.parseInt(args[1]), PaymentsService::new);
    }

    static void run(DataSource database, int port, Function<Processor, PaymentsService> service)
            throws IOException, InterruptedException {
        try (Semel semel = Semel.builder(
                        JdbcKeyStore.builder(database).createIfMissing().build())
                .build()) {
            SemelServerInterceptor once = SemelServerInterceptor.builder(
                            HttpGate.builder(semel).build(), CallerScope.fixed("shop"))
                    .guard(GrpcRules.of(
                            PaymentsGrpc.getChargeMethod(),
                            Policy.external("charge")
                                    .lease(Duration.ofSeconds(2))
                                    // The processor knows keys as well, so the work may run again after a crash.
                                    .recovery(Recovery.RE_EXECUTE)
                                    .build()))
                    .build();
            Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                    .addService(ServerInterceptors.intercept(service.apply(new Processor(database)), once))
                    .build()
                    .start();
            System.out.println("listens on port " + server.getPort());
            server.awaitTermination();
        }
    }
}
