package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.testservers.TestPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The claims of polled records travel to the database together. */
class BatchedClaimsTest {

    private static final int RECORDS = 400;

    private final AtomicInteger claims = new AtomicInteger();

    @Test
    void claimManyKeysInOneRoundTrip() throws Exception {
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
                JdbcKeyStore store =
                        JdbcKeyStore.builder(counting(pool)).createIfMissing().build();
                Group group = new Group(store, 1)) {
            AtomicInteger handled = new AtomicInteger();
            for (int i = 0; i < RECORDS; i++) {
                group.send(0, null, "" + i, Map.of());
            }
            ExternalPolicy policy =
                    Policy.external("ship").recovery(Recovery.RE_EXECUTE).build();

            group.start(group.member(policy).handle((record, attempt) -> handled.incrementAndGet()));

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(group.committed(0)).isEqualTo(RECORDS));
            assertThat(handled).hasValue(RECORDS);
            assertThat(claims).hasPositiveValue().hasValueLessThan(RECORDS / 2);
        }
    }

    /** Counts the statements that claim. */
    private DataSource counting(DataSource pool) {
        return (DataSource) proxy(
                DataSource.class,
                pool,
                (name, result, arguments) -> name.equals("getConnection")
                        ? proxy(Connection.class, result, (call, statement, sql) -> {
                            if (call.equals("prepareStatement")
                                    && String.valueOf(sql[0]).contains("semel_key_claim")) {
                                claims.incrementAndGet();
                            }
                            return statement;
                        })
                        : result);
    }

    private interface Interception {
        Object after(String method, Object result, Object[] arguments);
    }

    private static Object proxy(Class<?> type, Object target, Interception interception) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            try {
                return interception.after(method.getName(), method.invoke(target, arguments), arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }
}
