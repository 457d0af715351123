package dev.semel.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.RequestHead;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.web.util.pattern.PathPatternParser;

/** Natural keys that are made of a path. */
class PathKeysTest {

    @Test
    void aPathWithoutItsVariablesHasNoKey() {
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        Function<RequestHead, String> keys =
                new PathKeys("/shop", List.of(parser.parse("/natural/{id}"))).key("#id + '/'", "here");

        assertThat(keys.apply(RequestHead.of("POST", "/shop/Natural/7", null, name -> List.of())))
                .isEqualTo("7/");
        assertThat(keys.apply(RequestHead.of("POST", "/other/natural/7", null, name -> List.of())))
                .isNull();
        assertThat(keys.apply(RequestHead.of("POST", "/shop/orders/7", null, name -> List.of())))
                .isNull();
    }
}
