package dev.semel.bench;

/** What {@link PostgresBench} measures. */
final class Names {

    static final String NAIVE = "naive, its best";
    static final String NAIVE_USUAL = naive(32);
    static final String NAIVE_ALONE = "naive, 1 caller";
    static final String NAIVE_OPEN = "naive, open loop";
    static final String NAIVE_REPLAY = "naive, replay";
    static final String ALONE = "semel, 1 caller";
    static final String OPEN = "semel, open loop";
    static final String REPLAY = "semel, replay";
    static final String THREADS = "semel, 256 threads";
    static final String ENGINE = "semel, engine, 256";
    static final String EMPTY = "semel, empty table";
    static final String FULL = "semel, full table";

    private Names() {}

    static String naive(int threads) {
        return "naive " + threads;
    }

    static String inFlight(int callers) {
        return "semel, " + callers + " in flight";
    }
}
