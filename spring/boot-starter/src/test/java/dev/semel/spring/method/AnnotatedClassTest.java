package dev.semel.spring.method;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Beans whose class is annotated. */
class AnnotatedClassTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(SemelConfigurations.with())
            .withPropertyValues("semel.store=memory");

    @Idempotent(value = "place-order", key = "#order")
    public static class PlaceOrder {

        private final AtomicInteger runs = new AtomicInteger();

        public String place(String order) {
            return order + " in run " + runs.incrementAndGet();
        }

        @Idempotent(value = "cancel-order", key = "#number + '-cancelled'")
        public String cancel(String number) {
            return place(number) + ", cancelled";
        }

        String unguarded(String order) {
            return place(order);
        }

        @Override
        public String toString() {
            return "unguarded";
        }
    }

    @Test
    void itsPublicMethodsHappenOnce() {
        application.withBean(PlaceOrder.class).run(context -> {
            PlaceOrder orders = context.getBean(PlaceOrder.class);

            assertThat(orders.place("1")).isEqualTo("1 in run 1");
            assertThat(orders.place("1")).isEqualTo("1 in run 1");
            assertThat(orders.place("2")).isEqualTo("2 in run 2");
            assertThat(orders.unguarded("1")).isEqualTo("1 in run 3");
            assertThat(orders).hasToString("unguarded");
        });
    }

    @Test
    void whatAMethodSaysItselfWins() {
        application.withBean(PlaceOrder.class).run(context -> {
            PlaceOrder orders = context.getBean(PlaceOrder.class);

            assertThat(orders.place("1")).isEqualTo("1 in run 1");
            assertThat(orders.cancel("1")).isEqualTo("1 in run 2, cancelled");
            assertThat(orders.cancel("1")).isEqualTo("1 in run 2, cancelled");
        });
    }

    @Idempotent(value = "place-order", key = "#order")
    public static class PlaceOrderRenamed {

        public String execute(String order) {
            return "placed again";
        }
    }

    @Test
    void aRenamedMethodKnowsItsKeys() {
        InMemoryKeyStore store = InMemoryKeyStore.create();
        ApplicationContextRunner deployed = application.withBean(KeyStore.class, () -> store);

        deployed.withBean(PlaceOrder.class)
                .run(context ->
                        assertThat(context.getBean(PlaceOrder.class).place("1")).isEqualTo("1 in run 1"));

        deployed.withBean(PlaceOrderRenamed.class)
                .run(context -> assertThat(
                                context.getBean(PlaceOrderRenamed.class).execute("1"))
                        .isEqualTo("1 in run 1"));
    }

    @Idempotent(value = "orders", key = "#order")
    public static class TwoOperations {

        public void place(String order) {}

        public void cancel(String order) {}
    }

    /** Their keys would contain the names of the methods. */
    @Test
    void twoMethodsNeedTwoNames() {
        application
                .withBean(TwoOperations.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription())
                            .contains("'orders'", "TwoOperations.place(String)", "TwoOperations.cancel(String)");
                    assertThat(analysis.getAction()).contains("its own name");
                }));
    }

    @Idempotent(value = "nothing", key = "#order")
    public static class GuardsNothing {

        void place(String order) {}
    }

    @Test
    void aClassWithoutPublicMethodsIsRefused() {
        application
                .withBean(GuardsNothing.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("GuardsNothing", "guards nothing");
                    assertThat(analysis.getAction()).contains("public");
                }));
    }

    @Idempotent("configuration")
    @Configuration(proxyBeanMethods = false)
    public static class Beans {}

    @Test
    void aConfigurationIsRefused() {
        application
                .withUserConfiguration(Beans.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("configuration class", "Beans")));
    }

    @Idempotent(value = "final", key = "#order")
    public static class WithFinalMethod {

        public final void place(String order) {}
    }

    @Test
    void aMethodThatCannotBeInterceptedIsRefused() {
        application
                .withBean(WithFinalMethod.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("WithFinalMethod.place", "final")));
    }
}
