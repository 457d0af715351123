package dev.semel.examples.payments;

import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.ClaimRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.util.ClassUtils;

/**
 * The payment service with partners that outlive it, in a process that dies at one point on its way through a payment,
 * as by {@code kill -9}. Not a component, so that no other test finds it.
 */
final class DoomedPayments {

    static final int KILLED = 137;
    static final String LISTENS = "the doomed service listens on ";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    public static void main(String[] arguments) {
        System.out.println(LISTENS + start(arguments).getEnvironment().getRequiredProperty("local.server.port"));
    }

    static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(PaymentsApplication.class, DoomedPayments.class)
                .properties("server.port=0", "semel.lease=1s", "spring.datasource.username=postgres")
                // As arguments, because anything else yields to the file of properties that the example brings.
                .run(Stream.of(properties).map(each -> "--" + each).toArray(String[]::new));
    }

    @Bean
    static Death death(@Value("${die.at:never}") String point) {
        return new Death(point);
    }

    @Bean
    @Primary
    FakeProcessor processor(Death death, @Value("${outside}") String outside) {
        return new FakeProcessor(Duration.ZERO, 0, Duration.ZERO) {
            @Override
            String charge(String key, String card, int cents) {
                death.before("charge");
                String charge = send(outside + "/charge/" + card + "/" + key);
                death.after("charge");
                return charge;
            }
        };
    }

    @Bean
    @Primary
    FakeMailer mailer(Death death, @Value("${outside}") String outside) {
        return new FakeMailer() {
            @Override
            String send(String key, String to, String text) {
                death.before("mail");
                String id = DoomedPayments.send(outside + "/mail/" + to + "/" + key);
                death.after("mail");
                return id;
            }
        };
    }

    private static String send(String uri) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends the process at its point, and watches all calls of the store for it. */
    static final class Death implements BeanPostProcessor {

        private final String point;

        Death(String point) {
            this.point = point;
        }

        void before(String call) {
            reach("before " + call);
        }

        void after(String call) {
            reach("after " + call);
        }

        private void reach(String reached) {
            if (reached.equals(point)) {
                Runtime.getRuntime().halt(KILLED);
            }
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof JdbcKeyStore store ? watched(store) : bean;
        }

        private Object watched(JdbcKeyStore store) {
            return Proxy.newProxyInstance(
                    DoomedPayments.class.getClassLoader(),
                    ClassUtils.getAllInterfaces(store),
                    (proxy, method, arguments) -> {
                        String call = arguments == null ? method.getName() : name(method.getName(), arguments);
                        before(call);
                        try {
                            Object answer = method.invoke(store, arguments);
                            if (answer instanceof CompletionStage<?> stage) {
                                return stage.whenComplete((done, failure) -> after(call));
                            }
                            after(call);
                            return answer;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        /** In a transaction, only the order is settled. */
        private static String name(String method, Object[] arguments) {
            if (arguments[0] instanceof ClaimRequest request) {
                return "claim of the " + request.operation();
            }
            return switch (method) {
                case "recordStep" -> "step " + arguments[1];
                case "settle" -> "settle of the " + (arguments[0] instanceof Connection ? "order" : "payment");
                default -> method;
            };
        }
    }
}
