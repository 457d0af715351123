package dev.semel;

import dev.semel.util.Text;

/** A header line of a stored response, or any other named property of an outcome. */
public record Header(String name, String value) {

    public Header {
        Text.requireName("header name", name, 255);
    }
}
