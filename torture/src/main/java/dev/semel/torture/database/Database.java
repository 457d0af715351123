package dev.semel.torture.database;

import dev.semel.spi.Inspecting;
import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.wire.WireProtocol;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The database that all nodes share: a file, a server, or several servers. */
public interface Database extends AutoCloseable {

    /**
     * The ports of the servers that a node reaches over a wire of its own. None for a file, and none where the servers
     * tell clients each other's addresses, because no wire leads there.
     */
    List<Integer> ports();

    /** Where a node finds the database whose wire has these ports, one for each of {@link #ports}. */
    String url(List<Integer> ports);

    /** What goes over the wires. */
    default WireProtocol protocol() {
        return WireProtocol.PLAIN;
    }

    /** What a node needs in its environment. */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** Lets a person look at the keys by a direct way, around all wires. */
    void inspect(Look look) throws Exception;

    /** Looks at keys. */
    @FunctionalInterface
    interface Look {
        void at(Inspecting keys) throws Exception;
    }

    /** Kills all servers, or some, and starts them again; says which. */
    String restart(Random random) throws Exception;

    /** Kills the server that leads, so that another one takes over; says what happened. */
    default String failOver(Random random) throws Exception {
        throw new UnsupportedOperationException("no server takes over from another here");
    }

    /** The processes of all servers, none for a file. */
    List<ProcessHandle> processes() throws Exception;

    /** Makes sure that the database is up and has all that it should have. */
    void heal() throws Exception;

    @Override
    void close() throws Exception;

    /** The effects that are rows of the business table. */
    default List<Effect> effects(Operation operation) throws SQLException {
        throw new UnsupportedOperationException("operation " + operation + " has no business table here");
    }
}
