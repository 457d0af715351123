package dev.semel.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.recipes.BatchImport.Row;
import dev.semel.testservers.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchImportTest {

    private final RecipeStore store = new RecipeStore();
    private final BatchImport batch = new BatchImport(store.semel(), store.pool());

    @BeforeEach
    void createTable() {
        TestPostgres.execute(store.pool(), "CREATE TABLE booking (id text, cents bigint CHECK (cents > 0))");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aFileThatIsStartedAgainGoesOnWhereItStopped() {
        List<Row> rows = rows(250);
        batch.run("may.csv", rows.subList(0, 120));

        assertThat(batch.run("may.csv", rows)).isEmpty();
        assertThat(batch.run("may.csv", rows)).isEmpty();

        assertThat(store.count("booking")).isEqualTo(250);
    }

    @Test
    void aRowThatIsRefusedHoldsUpNoOther() {
        List<Row> rows = rows(250);
        rows.set(130, new Row("row-130", -1));

        assertThat(batch.run("may.csv", rows)).singleElement().asString().startsWith("row-130: ");
        assertThat(store.count("booking")).isEqualTo(249);

        rows.set(130, new Row("row-130", 10));
        assertThat(batch.run("may.csv", rows)).isEmpty();
        assertThat(store.count("booking")).isEqualTo(250);
    }

    @Test
    void aRowThatWasImportedWithOtherContentIsReported() {
        batch.run("may.csv", List.of(new Row("row-1", 10)));

        assertThat(batch.run("may.csv", List.of(new Row("row-1", 20))))
                .singleElement()
                .asString()
                .contains("used for a different request");
        assertThat(store.count("booking")).isOne();
    }

    private static List<Row> rows(int count) {
        return new ArrayList<>(
                IntStream.range(0, count).mapToObj(i -> new Row("row-" + i, 10)).toList());
    }
}
