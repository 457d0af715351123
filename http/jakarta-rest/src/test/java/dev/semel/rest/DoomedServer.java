package dev.semel.rest;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** A server whose resource method has its effect and then never ends: it is killed between claim and settle. */
final class DoomedServer {

    private DoomedServer() {}

    static void run(String url, Function<Application, Servlet> implementation) throws Exception {
        HikariDataSource pool = TestPostgres.pool(url, "postgres", 10);
        RestServer server = start(pool, implementation);
        server.own.effect = order -> {
            charge(pool, order);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        TestProcess.listens(server.uri().getPort());
    }

    static RestServer start(HikariDataSource pool, Function<Application, Servlet> implementation) throws Exception {
        JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build();
        return new RestServer(new SwitchableStore(store), implementation);
    }

    static void charge(HikariDataSource pool, String order) {
        TestPostgres.execute(pool, "insert into charges values ('" + order + "')");
    }
}
