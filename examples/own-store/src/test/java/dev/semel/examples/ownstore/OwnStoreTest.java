package dev.semel.examples.ownstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnStoreTest {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();
    private static final Call CALL = Call.of(Key.of("customer", "order-1"), Fingerprint.of("body"));

    @Test
    void replaysWhatAnotherProcessHasStored(@TempDir Path directory) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:" + directory.resolve("keys"));
        try (H2KeyStore store = H2KeyStore.open(database);
                Semel semel = Semel.builder(store).build()) {
            assertThat(semel.operation(POLICY, OutcomeCodec.text())
                            .run(CALL, attempt -> "charged")
                            .get())
                    .isEqualTo("charged");
        }

        try (H2KeyStore store = H2KeyStore.open(database);
                Semel semel = Semel.builder(store).build()) {
            assertThat(semel.operation(POLICY, OutcomeCodec.text()).run(CALL, attempt -> "charged again"))
                    .isInstanceOfSatisfying(
                            Execution.Replayed.class,
                            replayed -> assertThat(replayed.get()).isEqualTo("charged"));
        }
    }
}
