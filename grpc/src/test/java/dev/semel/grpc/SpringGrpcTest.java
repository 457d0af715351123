package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import com.google.rpc.RequestInfo;
import dev.semel.Semel;
import dev.semel.grpc.TestCalls.Result;
import dev.semel.http.HttpGate;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ServerCalls;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.ShadedNettyGrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.service.DefaultGrpcServiceConfigurer;
import org.springframework.grpc.server.service.DefaultGrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;

/** The interceptor as a bean, in a server that Spring gRPC makes of the application's beans. */
class SpringGrpcTest {

    private static final MethodDescriptor<RequestInfo, StringValue> CHARGE = TestCalls.method("Charge");

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Semel semel() {
            return Semel.builder(InMemoryKeyStore.create()).build();
        }

        @Bean
        PaymentsService payments() {
            return new PaymentsService();
        }

        @Bean
        BindableService service(PaymentsService payments) {
            return () -> ServerServiceDefinition.builder(PaymentsService.NAME)
                    .addMethod(CHARGE, ServerCalls.asyncUnaryCall(payments::respond))
                    .build();
        }

        // quoted: spring-grpc
        @Bean
        @GlobalServerInterceptor
        SemelServerInterceptor once(Semel semel) {
            return SemelServerInterceptor.builder(HttpGate.builder(semel).build(), CallerScope.fixed("shop"))
                    .guard(GrpcRules.of(CHARGE, Policy.external("charge").build()))
                    .build();
        }
        // end

        /** What the auto-configuration of Spring Boot does. */
        @Bean
        GrpcServerLifecycle server(ApplicationContext context, ApplicationEventPublisher events) {
            GrpcServerFactory factory = new ShadedNettyGrpcServerFactory("127.0.0.1:0", List.of(), null, null, null);
            GrpcServiceDiscoverer services = new DefaultGrpcServiceDiscoverer(context);
            DefaultGrpcServiceConfigurer interceptors = new DefaultGrpcServiceConfigurer(context);
            interceptors.afterPropertiesSet();
            GrpcServiceConfigurer configurer = interceptors;
            services.findServices().forEach(service -> factory.addService(configurer.configure(service, factory)));
            return new GrpcServerLifecycle(factory, Duration.ofSeconds(1), events);
        }
    }

    private final AnnotationConfigApplicationContext application =
            new AnnotationConfigApplicationContext(Application.class);
    private final ManagedChannel channel = NettyChannelBuilder.forAddress(
                    "127.0.0.1", application.getBean(GrpcServerLifecycle.class).getPort())
            .usePlaintext()
            .build();

    @AfterEach
    void stop() {
        channel.shutdownNow();
        application.close();
    }

    @Test
    void aCallRunsOnceAndIsReplayed() {
        Result first = call();
        Result second = call();

        assertThat(first.text()).isEqualTo("run 1");
        assertThat(first.isReplay()).isFalse();
        assertThat(second.text()).isEqualTo("run 1");
        assertThat(second.isReplay()).isTrue();
        assertThat(application.getBean(PaymentsService.class).runs("order")).isEqualTo(1);
    }

    private Result call() {
        return TestCalls.send(channel, CHARGE, TestCalls.headers("order-1"), TestCalls.request("", "order"))
                .now();
    }
}
