/** Codecs that keep results as JSON, with Jackson 3 or Jackson 2. */
module dev.semel.jackson {
    requires transitive dev.semel.core;
    requires static transitive com.fasterxml.jackson.databind;
    requires static org.jspecify;
    requires static transitive tools.jackson.databind;

    exports dev.semel.jackson;
}
