package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SchemaCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsTheSchemaOfPostgres() {
        assertThat(run("schema", "postgres")).isZero();
        assertThat(out.toString())
                .contains("CREATE TABLE public.semel_key (", "CREATE OR REPLACE FUNCTION public.semel_key_claim(");
    }

    @Test
    void printsHowATableKeepsGenerations() {
        assertThat(run("schema", "postgres", "--from", "1", "--generations")).isZero();
        assertThat(out.toString())
                .contains("CREATE TABLE public.semel_key_3 (", "INSERT INTO public.semel_key_2 (digest")
                .doesNotContain("{slot}", "CREATE FUNCTION public.semel_key_json");
        assertThat(run("schema", "sqlite", "--generations")).isEqualTo(2);
        assertThat(err.toString()).contains("sqlite cannot keep keys in generations");
    }

    @Test
    void printsTheSchemaOfMySql() {
        assertThat(run("schema", "mysql")).isZero();
        assertThat(out.toString())
                .contains("CREATE TABLE IF NOT EXISTS semel_key")
                .doesNotContain("SEQUENCE", "{");
    }

    @Test
    void printsTheSchemaOfMariaDb() {
        assertThat(run("schema", "mariadb")).isZero();
        assertThat(out.toString())
                .contains("CREATE TABLE IF NOT EXISTS semel_key (", "CREATE SEQUENCE IF NOT EXISTS semel_key_token'");
    }

    @Test
    void putsTheTableWhereItIsAskedTo() {
        assertThat(run("schema", "postgres", "--schema", "shop", "--table", "once"))
                .isZero();
        assertThat(out.toString()).contains("CREATE TABLE shop.once (").doesNotContain("semel_key");
    }

    @Test
    void printsNothingForADatabaseThatIsUpToDate() {
        assertThat(run("schema", "postgres", "--from", "1")).isZero();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void refusesNamesThatAreNotPlainIdentifiers() {
        assertThat(run("schema", "postgres", "--table", "a; DROP TABLE b")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("table name must match", "a; DROP TABLE b");
    }

    @Test
    void refusesADatabaseThatItDoesNotKnow() {
        assertThat(run("schema", "oracle")).isEqualTo(2);
        assertThat(err.toString()).contains("postgres", "oracle");
    }

    private int run(String... args) {
        return SemelCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }
}
