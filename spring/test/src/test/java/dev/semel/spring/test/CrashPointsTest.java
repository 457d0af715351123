package dev.semel.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.semel.spring.Idempotent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose operation is held after a crash, with a store that survives it and with one that does not. */
class CrashPointsTest {

    private static final String SECURITY = "org.springframework.boot.autoconfigure.security.servlet.";

    @TempDir
    private Path directory;

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private HttpServer provider;

    @BeforeEach
    void start() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/", exchange -> {
            effects.add(exchange.getRequestURI().getPath().substring(1));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        provider.start();
    }

    @AfterEach
    void stop() {
        provider.stop(0);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {

        public static void main(String[] arguments) {
            SpringApplication.run(Shop.class, arguments);
        }

        @Bean
        Orders orders(Provider provider) {
            return new Orders(provider);
        }

        @Bean
        Provider provider(@Value("${provider}") URI uri) {
            return new Provider(uri);
        }
    }

    @RestController
    static class Orders {

        private final Provider provider;

        Orders(Provider provider) {
            this.provider = provider;
        }

        @Idempotent("order")
        @PostMapping("/orders/{item}")
        String place(@PathVariable String item) throws Exception {
            provider.send(item);
            return "placed " + item;
        }
    }

    static class Provider {

        private final URI uri;

        Provider(URI uri) {
            this.uri = uri;
        }

        void send(String item) throws IOException, InterruptedException {
            HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(uri.resolve("/" + item)).build(),
                            HttpResponse.BodyHandlers.discarding());
        }
    }

    private CrashPoints.Builder shop(String store) {
        return CrashPoints.of(Shop.class)
                .jvmOptions("-Xmx256m", "-XX:+UseSerialGC")
                .properties(
                        "semel.scope=shop",
                        "semel.store=" + store,
                        "spring.datasource.url=jdbc:sqlite:" + directory.resolve("keys.db"),
                        "spring.autoconfigure.exclude=" + SECURITY + "SecurityAutoConfiguration," + SECURITY
                                + "SecurityFilterAutoConfiguration,"
                                + "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration,"
                                + "dev.semel.spring.autoconfigure.OutboxAutoConfiguration",
                        "provider=http://127.0.0.1:" + provider.getAddress().getPort())
                .request((service, key) -> HttpRequest.newBuilder(service.resolve("/orders/" + key))
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build());
    }

    private long count(String key) {
        return effects.stream().filter(key::equals).count();
    }

    @Test
    void aHeldOperationEndsAsUnknown() {
        CrashReport report = shop("jdbc").effects("orders", this::count).run().requireSafe();

        assertThat(report.results())
                .extracting(result -> result.point() + ": " + result.verdict() + result.effects())
                .containsExactly(
                        "before the store's claim: ONCE{orders=1}",
                        "after the store's claim: UNKNOWN{orders=0}",
                        "before Orders.place: UNKNOWN{orders=0}",
                        "before Provider.send: UNKNOWN{orders=0}",
                        "after Provider.send: UNKNOWN{orders=1}",
                        "after Orders.place: UNKNOWN{orders=1}",
                        "before the store's settle: UNKNOWN{orders=1}",
                        "after the store's settle: ONCE{orders=1}");
        assertThatThrownBy(report::requireOnce)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("crashed at 8 of 8 points, unsafe at 0")
                .hasMessageContaining("after Provider.send");
    }

    @Test
    void aStoreThatDiesWithTheProcessIsFound() {
        assumeTrue(SpringBootVersion.getVersion().startsWith("4"), "one crash test is enough on Spring Boot 3.5");
        CrashReport report = shop("memory").effects("orders", this::count).run();

        assertThat(report.unsafe())
                .extracting(result -> result.point() + ": " + result.verdict())
                .containsExactly(
                        "after Provider.send: TWICE",
                        "after Orders.place: TWICE",
                        "before the store's settle: TWICE",
                        "after the store's settle: TWICE");
        assertThatThrownBy(report::requireSafe)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("unsafe at 4");
    }

    @Test
    void aQueryThatFindsNothingIsFoundBeforeAnythingCrashes() {
        assertThatThrownBy(() -> shop("memory").effects("orders", key -> 0).run())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("every effect must happen once")
                .hasMessageContaining("{orders=0}");
    }

    @Test
    void saysWhyTheApplicationDidNotStart() {
        assertThatThrownBy(() -> shop("nowhere").effects("orders", this::count).run())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("did not start")
                .hasMessageContaining("nowhere");
    }
}
