package dev.semel.bench.measure;

/** The names of what is measured. */
public final class MeasurementNames {

    public static final String NAIVE = "naive, its best";
    public static final String NAIVE_USUAL = naive(32);
    public static final String PGBENCH = "naive, pgbench";
    public static final String NAIVE_ALONE = "naive, 1 caller";
    public static final String NAIVE_OPEN = "naive, open loop";
    public static final String NAIVE_REPLAY = "naive, replay";
    public static final String ALONE = "semel, 1 caller";
    public static final String OPEN = "semel, open loop";
    public static final String REPLAY = "semel, replay";
    public static final String THREADS = "semel, 256 threads";
    public static final String ENGINE = "semel, engine, 256";
    public static final String ENGINE_THREADS = "engine, 256 threads";
    public static final String EMPTY = "semel, empty table";
    public static final String FULL = "semel, full table";

    private MeasurementNames() {}

    public static String naive(int threads) {
        return "naive " + threads;
    }

    public static String inFlight(int callers) {
        return "semel, " + callers + " in flight";
    }
}
