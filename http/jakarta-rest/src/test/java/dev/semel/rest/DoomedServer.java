package dev.semel.rest;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.Gate;
import dev.semel.testkit.StoreCall;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.KilledCalls;
import dev.semel.testservers.KilledCalls.Moment;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.util.function.Function;
import javax.sql.DataSource;

/** A server whose requests never end: it is killed between claim and settle. */
final class DoomedServer {

    private DoomedServer() {}

    /** @param arguments the database's address, and the moment of the kill */
    static void run(String[] arguments, Function<Application, Servlet> implementation) throws Exception {
        HikariDataSource pool = TestPostgres.pool(arguments[0], "postgres", 10);
        FaultyStore store = FaultyStore.around(store(pool));
        Gate settling = store.hold(StoreCall.SETTLE);
        RestServer server = new RestServer(new SwitchableStore(store.store()), implementation);
        server.own.effect = KilledCalls.doomed(pool, Moment.valueOf(arguments[1]), settling::awaitArrival);
        TestProcess.listens(server.uri().getPort());
    }

    /** A server on the same database that lives on. */
    static RestServer survivor(HikariDataSource pool, Function<Application, Servlet> implementation) throws Exception {
        RestServer server = new RestServer(new SwitchableStore(store(pool)), implementation);
        server.own.effect = order -> KilledCalls.charge(pool, order);
        return server;
    }

    private static JdbcKeyStore store(DataSource pool) {
        return JdbcKeyStore.builder(pool).createIfMissing().build();
    }
}
