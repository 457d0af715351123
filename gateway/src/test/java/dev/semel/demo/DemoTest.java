package dev.semel.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DemoTest {

    @Test
    void keepsWhatItPromises() throws Exception {
        StringWriter table = new StringWriter();
        try (Demo demo = Demo.start(0)) {
            assertThat(new Smoke(demo).run(new PrintWriter(table)))
                    .as(table.toString())
                    .isTrue();
        }
        assertThat(table.toString()).contains("first call").contains("recover").doesNotContain("WRONG");
    }
}
