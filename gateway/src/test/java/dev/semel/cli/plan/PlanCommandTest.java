package dev.semel.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PlanCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void fitsOneScreenAndShowsItsArithmetic() {
        assertThat(run("--rate", "5000", "--retention", "24h", "--response", "2kB"))
                .isZero();

        assertThat(out.toString())
                .contains(
                        "5,000 requests per second",
                        "5,000/s x 86,400 s = 432.0 million",
                        "generations=12h",
                        "max_wal_size",
                        "2 cores",
                        "An estimate");
        assertThat(out.toString().lines()).hasSizeLessThanOrEqualTo(30).allMatch(line -> line.length() <= 110);
    }

    @Test
    void printsTheSameAsJson() {
        assertThat(run("--rate", "5000", "--json")).isZero();

        JsonObject json = new JsonObject(out.toString());
        assertThat(json.getLong("keys")).isEqualTo(432_000_000);
        assertThat(json.getLong("generationSeconds")).isEqualTo(43_200);
        assertThat(json.getString("advice")).isEqualTo("postgres");
        assertThat(json.getString("measuredOn")).matches("\\d{4}-\\d\\d-\\d\\d");
        long plain = json.getJsonObject("postgres").getLong("diskBytes");
        assertThat(json.getJsonObject("postgresCompressed").getLong("diskBytes"))
                .isPositive()
                .isLessThan(plain);
        assertThat(json.getJsonObject("redis").getInteger("storeCores")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void saysWhenNothingThatWasMeasuredIsEnough() {
        assertThat(run("--rate", "100000000")).isZero();
        assertThat(out.toString()).contains("DynamoDB or Cassandra");
    }

    @Test
    void hasNoGenerationsForFewKeys() {
        assertThat(run("--rate", "10", "--retention", "90m")).isZero();
        assertThat(out.toString()).contains("--retention 90m").doesNotContain("generations");
    }

    @ParameterizedTest
    @CsvSource({"2kB,2048", "2k,2048", "512,512", "512b,512", "1m,1048576", "1MB,1048576"})
    void takesSizesAsPeopleWriteThem(String text, long bytes) {
        assertThat(run("--rate", "10", "--response", text, "--json")).isZero();
        assertThat(new JsonObject(out.toString()).getLong("responseBytes")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "--rate,many,such as 5000",
        "--rate,0,such as 5000",
        "--rate,-3,such as 5000",
        "--rate,99999999999,such as 5000",
        "--retention,1 day,such as 24h",
        "--retention,0s,such as 24h",
        "--retention,10ms,24h",
        "--response,2 kilobytes,such as 2kB",
        "--response,-1,such as 2kB",
        "--response,2m,--max-response"
    })
    void saysWhatIsWrongAndWhatToGiveInstead(String option, String value, String remedy) {
        int code = option.equals("--rate") ? run(option, value) : run("--rate", "10", option, value);

        assertThat(code).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(option + ": ", "\"" + value + "\"", remedy);
    }

    @Test
    void asksForTheRate() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("--rate");
    }

    private int run(String... options) {
        return new CommandLine(new PlanCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
    }
}
