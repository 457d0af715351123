package dev.semel.bench.measure;

/** Tells, on the error output, what is being measured: on one line in a terminal, on a line each elsewhere. */
public final class Progress {

    private final boolean terminal = System.console() != null;
    private final int total;
    private int done;

    public Progress(int total) {
        this.total = total;
    }

    public void next(String what) {
        done++;
        String line = String.format("%3d %% %s", Math.min(100, 100 * (done - 1) / total), what);
        if (terminal) {
            System.err.print("\r\u001b[K" + line);
        } else {
            System.err.println(line);
        }
    }

    public void end() {
        if (terminal) {
            System.err.print("\r\u001b[K");
        }
    }
}
