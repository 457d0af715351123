package dev.semel.spring.method;

import dev.semel.Attempt;
import dev.semel.policy.Mode;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.TestPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ClassUtils;

/** An application on PostgreSQL with a bean method of each mode that does what it is told, and a store that can fail. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FailingBeans {

    /** What an operation does. */
    @FunctionalInterface
    interface Work {

        String run(Attempt attempt) throws Exception;
    }

    static ConfigurableApplicationContext start(String database) {
        return new SpringApplicationBuilder(FailingBeans.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + TestPostgres.url(database),
                        "spring.datasource.username=postgres",
                        "semel.claim-patience=200ms",
                        "semel.settle-patience=500ms")
                .run();
    }

    @Bean
    Operations operations(JdbcTemplate jdbc) {
        return new Operations(jdbc);
    }

    @Bean
    static Outage outage() {
        return new Outage();
    }

    static class Operations {

        private final JdbcTemplate jdbc;
        private final AtomicInteger runs = new AtomicInteger();

        Operations(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("create table if not exists effect (id text not null)");
        }

        @Idempotent(
                value = "external",
                key = "#id",
                include = {"/id", "/input"})
        String external(String id, String input, Work work, Attempt attempt) throws Exception {
            return run(id, work, attempt);
        }

        @Idempotent(
                value = "transactional",
                key = "#id",
                include = {"/id", "/input"},
                mode = Mode.TRANSACTIONAL)
        @Transactional
        String transactional(String id, String input, Work work, Attempt attempt) throws Exception {
            return run(id, work, attempt);
        }

        @Idempotent(
                value = "single",
                key = "#id",
                include = {"/id", "/input"},
                mode = Mode.SINGLE_TRANSACTION)
        @Transactional
        String single(String id, String input, Work work, Attempt attempt) throws Exception {
            return run(id, work, attempt);
        }

        @Idempotent(value = "nested", key = "#id", include = "/id")
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        String nested(String id, Work work, Attempt attempt) throws Exception {
            return work.run(attempt);
        }

        private String run(String id, Work work, Attempt attempt) throws Exception {
            runs.incrementAndGet();
            jdbc.update("insert into effect (id) values (?)", id);
            return work.run(attempt);
        }

        int runs() {
            return runs.get();
        }

        int effects(String id) {
            Integer effects = jdbc.queryForObject("select count(*) from effect where id = ?", Integer.class, id);
            return effects == null ? 0 : effects;
        }
    }

    /** Lets calls of the store fail, by the name of the method. */
    static final class Outage implements BeanPostProcessor {

        private volatile String failing = "";

        void begin(String method) {
            failing = method;
        }

        void end() {
            failing = "";
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof KeyStore store ? around(store) : bean;
        }

        private Object around(KeyStore store) {
            return Proxy.newProxyInstance(
                    FailingBeans.class.getClassLoader(),
                    ClassUtils.getAllInterfaces(store),
                    (proxy, method, arguments) -> {
                        if (method.getName().equals(failing)) {
                            StoreUnavailableException down = new StoreUnavailableException("pulled the plug", null);
                            if (method.getReturnType() == CompletionStage.class) {
                                return CompletableFuture.failedStage(down);
                            }
                            throw down;
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
