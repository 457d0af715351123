package dev.semel.torture.fault;

import dev.semel.SemelException;
import dev.semel.erasure.Erasure;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.KeyStore;
import dev.semel.torture.database.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A person who erases what is stored of a caller, when that caller retries nothing any more. */
public record Eraser(Database database, OperatorDoors doors, QuietScope scope) implements InjectedFault {

    private static final String REASON = "the caller has asked for it";

    @Override
    public String inject(Random random) throws Exception {
        List<String> ways = new ArrayList<>();
        boolean done = scope.erase(name -> {
            boolean direct = random.nextInt(3) > 0;
            String way = direct ? eraseDirectly(name) : doors.erase(random, name, REASON);
            ways.add(way);
            return !way.isEmpty();
        });
        return done ? "of a caller, " + ways.get(0) : "";
    }

    private String eraseDirectly(String name) throws Exception {
        try {
            database.inspect(keys -> Erasure.ofScope(
                    // All that can be inspected here are stores.
                    (KeyStore) keys, name, new DecisionLog.Person("the torture", ""), REASON));
            return "with the library's own call";
        } catch (SemelException e) {
            // The store is down, as it is meant to be from time to time.
            return "";
        }
    }
}
