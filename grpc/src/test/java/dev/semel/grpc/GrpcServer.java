package dev.semel.grpc;

import com.google.protobuf.StringValue;
import com.google.rpc.RequestInfo;
import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.testkit.http.SwitchableStore;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The test service behind the interceptor, over a socket. */
final class GrpcServer implements AutoCloseable {

    /** Fewer than the duplicates that wait at once in a test. */
    private static final int THREADS = 16;

    static final int MAX_PAYLOAD = 10_000;
    private static final Duration MOMENT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofMinutes(1);

    static final MethodDescriptor<RequestInfo, StringValue> CHARGE = TestCalls.method("Charge");
    static final MethodDescriptor<RequestInfo, StringValue> FIELD = TestCalls.method("Field");
    static final MethodDescriptor<RequestInfo, StringValue> OPTIONAL = TestCalls.method("Optional");
    static final MethodDescriptor<RequestInfo, StringValue> PLAIN = TestCalls.method("Plain");
    static final MethodDescriptor<RequestInfo, StringValue> WAIT = TestCalls.method("Wait");
    static final MethodDescriptor<RequestInfo, StringValue> BRIEF = TestCalls.method("Brief");
    static final MethodDescriptor<RequestInfo, StringValue> TOMBSTONE = TestCalls.method("Tombstone");
    static final MethodDescriptor<RequestInfo, StringValue> OPEN = TestCalls.method("Open");
    static final MethodDescriptor<RequestInfo, StringValue> REFUSED = TestCalls.method("Refused");

    static final MethodDescriptor<RequestInfo, StringValue> KILLED = TestCalls.method("Killed");

    final PaymentsService service = new PaymentsService();
    final SwitchableStore store;
    private final Semel semel;
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    private final Server server;
    private final List<ManagedChannel> channels = new CopyOnWriteArrayList<>();

    GrpcServer(SwitchableStore store) throws IOException {
        this.store = store;
        this.semel = Semel.builder(store)
                .patience(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .build();
        SemelServerInterceptor interceptor = SemelServerInterceptor.builder(
                        HttpGate.builder(semel).build(), GrpcServer::caller)
                .guard(GrpcRules.builder(
                                CHARGE,
                                policy(
                                        CHARGE,
                                        p -> p.maxPayload(MAX_PAYLOAD)
                                                .notExecuted(UnsupportedOperationException.class::isInstance)))
                        .publishExpiry(true)
                        .build())
                .guard(GrpcRules.builder(FIELD, policy(FIELD, p -> p))
                        .keyField("request_id")
                        .build())
                .guard(GrpcRules.builder(OPTIONAL, policy(OPTIONAL, p -> p))
                        .keyRequired(false)
                        .build())
                .guard(GrpcRules.of(WAIT, policy(WAIT, p -> p.duplicates(Duplicates.waitFor(LONG)))))
                .guard(GrpcRules.of(BRIEF, policy(BRIEF, p -> p.lease(MOMENT).retention(MOMENT))))
                .guard(GrpcRules.of(
                        TOMBSTONE,
                        policy(
                                TOMBSTONE,
                                p -> p.lease(MOMENT)
                                        .retention(Retention.of(MOMENT).withTombstone(LONG)))))
                .guard(GrpcRules.of(OPEN, policy(OPEN, p -> p.whenStoreIsDown(WhenStoreIsDown.OPEN))))
                .guard(GrpcRules.of(KILLED, policy(KILLED, p -> p.lease(Duration.ofSeconds(1)))))
                .guard(GrpcRules.builder(REFUSED, policy(REFUSED, p -> p))
                        .refused(io.grpc.Status.Code.RESOURCE_EXHAUSTED)
                        .build())
                .build();
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(PaymentsService.NAME);
        for (MethodDescriptor<RequestInfo, StringValue> method :
                List.of(CHARGE, FIELD, OPTIONAL, PLAIN, WAIT, BRIEF, TOMBSTONE, OPEN, REFUSED, KILLED)) {
            definition.addMethod(method, ServerCalls.asyncUnaryCall(service::respond));
        }
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .executor(executor)
                .addService(ServerInterceptors.intercept(definition.build(), interceptor))
                .build()
                .start();
    }

    private static ExternalPolicy policy(MethodDescriptor<?, ?> method, UnaryOperator<ExternalPolicy.Builder> adapted) {
        return adapted.apply(Policy.external(method.getBareMethodName())).build();
    }

    /** Stands for authentication: knows a caller by the part of its token before the dot. */
    private static String caller(ServerCall<?, ?> call, Metadata headers) {
        String token = headers.get(TestCalls.CALLER);
        return token == null ? null : token.split("\\.")[0];
    }

    int port() {
        return server.getPort();
    }

    Channel channel(UnaryOperator<NettyChannelBuilder> adapted) {
        return channel(port(), adapted);
    }

    Channel channel(int port, UnaryOperator<NettyChannelBuilder> adapted) {
        ManagedChannel channel = adapted.apply(NettyChannelBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                        .usePlaintext())
                .build();
        channels.add(channel);
        return channel;
    }

    @Override
    public void close() throws Exception {
        for (ManagedChannel channel : channels) {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        executor.shutdownNow();
        semel.close();
        store.close();
    }
}
