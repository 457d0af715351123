package dev.semel.spring.test;

import dev.semel.spring.test.child.CrashingApplication;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A test that kills your Spring Boot application at each of its own method calls, starts it again, retries the request as a
 * client would, and counts the effects.
 *
 * <pre>{@code
 * CrashPoints.of(PaymentsApplication.class)
 *         .properties("spring.datasource.url=" + database)
 *         .request((service, key) -> HttpRequest.newBuilder(service.resolve("/payments"))
 *                 .header("Idempotency-Key", key)
 *                 .POST(BodyPublishers.ofString("..."))
 *                 .build())
 *         .effects("charges", key -> provider.chargesFor(key))
 *         .run()
 *         .requireSafe();
 * }</pre>
 *
 * <p>The application runs in a separate process, with the class path of the test. Points are before and after each call
 * of one of its beans, each call of the store that a request makes, and each commit. A first request shows which points
 * there are; then the process dies at each of them in turn, as with {@code kill -9}. So the database, the store, and
 * every system with effects must run outside the application: in the test, or in a server.
 *
 * <p>Calls within a bean are not crash points, and neither are calls of beans that Spring cannot proxy, such as
 * records. The application must inject the store as a {@link dev.semel.spi.KeyStore}.
 */
public final class CrashPoints {

    private final Builder settings;

    private CrashPoints(Builder settings) {
        this.settings = settings;
    }

    /** Starts a test of the application with this main class. */
    public static Builder of(Class<?> application) {
        return new Builder(application);
    }

    /** Creates the request that the client sends and retries. */
    @FunctionalInterface
    public interface RequestFactory {

        /**
         * Creates a request with this key.
         *
         * @param service the address of the application, without a path
         * @param key the idempotency key to send, by which the effects are counted
         */
        HttpRequest request(URI service, String key);
    }

    ChildProcess start() {
        return ChildProcess.start(this::command, settings.startLimit);
    }

    private List<String> command(int port) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dsemel.lease=1s",
                // Otherwise the application would start twice, the second time in another class loader.
                "-Dspring.devtools.restart.enabled=false",
                "-D" + CrashingApplication.PORT + "=" + port,
                "-D" + CrashingApplication.APPLICATION + "=" + settings.application.getName(),
                "-D" + CrashingApplication.PACKAGES + "=" + String.join(",", settings.packages),
                "-D" + CrashingApplication.CONFIGURATIONS + "="
                        + settings.configurations.stream().map(Class::getName).collect(Collectors.joining(","))));
        command.addAll(settings.jvmOptions);
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), CrashingApplication.class.getName(), "--server.port=0"));
        settings.properties.forEach(property -> command.add("--" + property));
        return command;
    }

    HttpRequest request(URI service, String key) {
        return settings.requestFactory().request(service, key);
    }

    RetryAnswer answer(HttpResponse<String> response) {
        return settings.answers.apply(response);
    }

    Map<String, Long> count(String key) {
        Map<String, Long> counts = new LinkedHashMap<>();
        settings.effects.forEach((name, count) -> counts.put(name, count.applyAsLong(key)));
        return counts;
    }

    Duration patience() {
        return settings.patience;
    }

    Duration reconciliation() {
        return settings.reconciliation;
    }

    /** Configures the application to run, the request to send, and the effects to count. */
    public static final class Builder {

        private final Class<?> application;
        private final Map<String, ToLongFunction<String>> effects = new LinkedHashMap<>();
        private List<String> packages;
        private List<String> properties = List.of();
        private List<String> jvmOptions = List.of();
        private List<Class<?>> configurations = List.of();
        private Function<HttpResponse<String>, RetryAnswer> answers = RetryAnswer::of;
        private Duration patience = Duration.ofSeconds(60);
        private Duration reconciliation = Duration.ZERO;
        private Duration startLimit = Duration.ofMinutes(2);
        private @Nullable RequestFactory requestFactory;

        private Builder(Class<?> application) {
            this.application = application;
            this.packages = List.of(application.getPackageName());
        }

        /** Properties of the application, each like {@code name=value}. The lease of operations is a second by default. */
        public Builder properties(String... namesAndValues) {
            this.properties = List.of(namesAndValues);
            return this;
        }

        /** Configurations that are added to the application, for example with beans that call a provider in the test. */
        public Builder with(Class<?>... added) {
            this.configurations = List.of(added);
            return this;
        }

        /** The packages of the beans whose calls are points; by default that of the main class, and those below it. */
        public Builder packages(String... names) {
            this.packages = List.of(names);
            return this;
        }

        /** Options of the JVM that the application runs in, for example {@code -Xmx256m}. */
        public Builder jvmOptions(String... options) {
            this.jvmOptions = List.of(options);
            return this;
        }

        /** The request that the client sends. */
        public Builder request(RequestFactory factory) {
            this.requestFactory = factory;
            return this;
        }

        /**
         * An effect that must not happen twice. At least one is needed.
         *
         * @param name its name in the report
         * @param count returns how often the effect happened for the request with this key, from a system that outlives
         *     the application
         */
        public Builder effects(String name, ToLongFunction<String> count) {
            this.effects.put(name, count);
            return this;
        }

        /** Interprets responses, for an API that does not answer as {@link RetryAnswer#of} expects. */
        public Builder answers(Function<HttpResponse<String>, RetryAnswer> meaning) {
            this.answers = meaning;
            return this;
        }

        /** How long a client retries until it has an answer; a minute by default, and more than a lease. */
        public Builder patience(Duration time) {
            this.patience = time;
            return this;
        }

        /** How long a client retries although the outcome is unknown, for operations with a reconciler. */
        public Builder reconciledWithin(Duration time) {
            this.reconciliation = time;
            return this;
        }

        /** How long the application may take to start; two minutes by default. */
        public Builder startsWithin(Duration time) {
            this.startLimit = time;
            return this;
        }

        private RequestFactory requestFactory() {
            if (requestFactory == null) {
                throw new IllegalArgumentException("CrashPoints needs to know what to send: call request(...)");
            }
            return requestFactory;
        }

        /** Runs the test, which takes as many starts of the application as there are points, and one more. */
        public CrashReport run() {
            requireSettings();
            return new CrashRun(new CrashPoints(this)).run();
        }

        private void requireSettings() {
            requestFactory();
            if (effects.isEmpty()) {
                throw new IllegalArgumentException("CrashPoints needs to know what to count: call effects(...)");
            }
            List<String> wrong = properties.stream()
                    .filter(property -> property.startsWith("-") || !property.contains("="))
                    .toList();
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException("a property is given like name=value, got " + wrong);
            }
            if (Arrays.stream(application.getMethods()).noneMatch(CrashPoints::isMain)) {
                throw new IllegalArgumentException(application.getName() + " has no method main(String[])");
            }
        }
    }

    private static boolean isMain(java.lang.reflect.Method method) {
        return method.getName().equals("main")
                && Stream.of(method.getParameterTypes()).toList().equals(List.of(String[].class));
    }
}
