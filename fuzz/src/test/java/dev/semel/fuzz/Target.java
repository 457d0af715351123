package dev.semel.fuzz;

import java.util.Locale;

/** What can be fuzzed. */
enum Target {
    HEAD("dev.semel.gateway.proxy.HeadFuzz", 90, 400, "io.netty.handler.codec.http.HttpObjectDecoder**"),
    BODY("dev.semel.http.BodyFuzz", 25, 300, "io.netty.handler.codec.http.HttpObjectDecoder**"),
    PATH("dev.semel.gateway.proxy.PathFuzz", 150, 120, ""),
    PSEUDO_HEADERS("dev.semel.gateway.proxy.PseudoHeadersFuzz", 75, 300, ""),
    KEY("dev.semel.http.KeyFuzz", 340, 300, "org.greenbytes.**"),
    YAML("dev.semel.gateway.config.YamlFuzz", 22, 400, "org.snakeyaml.engine.v2.scanner.**"),
    SQL_NAMES("dev.semel.jdbc.SqlNamesFuzz", 290, 120, ""),
    ADMIN("dev.semel.gateway.AdminFuzz", 6, 600, ""),
    WIRE("dev.semel.gateway.WireFuzz", 2, 600, "io.netty.handler.codec.http.HttpObjectDecoder**");

    private static final int ALL = 1000;

    private final String className;
    private final int perMille;
    private final int longest;
    private final String library;

    /**
     * Names a target.
     *
     * @param perMille its share of the inputs of a run over all targets
     * @param longest the most bytes of an input
     * @param library what of a library is watched, besides Semel
     */
    Target(String className, int perMille, int longest, String library) {
        this.className = className;
        this.perMille = perMille;
        this.longest = longest;
        this.library = library;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String className() {
        return className;
    }

    int longest() {
        return longest;
    }

    /** The classes whose branches guide the search. */
    String watched() {
        return "dev.semel.**" + (library.isEmpty() ? "" : ":" + library);
    }

    long share(long inputs) {
        return Math.max(1, inputs * perMille / ALL);
    }
}
