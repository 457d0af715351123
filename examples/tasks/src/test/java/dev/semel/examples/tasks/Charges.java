package dev.semel.examples.tasks;

// quoted: program
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.jackson.Jackson3Json;
import dev.semel.jackson.Json;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import java.util.UUID;
import org.sqlite.SQLiteDataSource;
import tools.jackson.databind.json.JsonMapper;

public class Charges {

    record Receipt(String id, int cents) {}

    public static void main(String[] arguments) {
        String order = arguments[0];
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:keys.db");

        try (JdbcKeyStore store =
                        JdbcKeyStore.builder(dataSource).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            Json json = new Jackson3Json(JsonMapper.shared());
            ExternalOperation<Receipt> charge =
                    semel.operation(Policy.external("charge").build(), json.outcomes(Receipt.class));

            Execution<Receipt> execution = charge.run(
                    Key.of("shop", order),
                    Fingerprint.of(order, "4200"),
                    attempt -> new Receipt(UUID.randomUUID().toString(), 4200)); // call the processor here
            System.out.println(execution.get());
        }
    }
}
// end
