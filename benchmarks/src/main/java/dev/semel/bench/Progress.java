package dev.semel.bench;

/** Tells, on the error output, what is being measured: on one line in a terminal, on a line each elsewhere. */
final class Progress {

    private final boolean terminal = System.console() != null;
    private final int total;
    private int done;

    Progress(int total) {
        this.total = total;
    }

    void next(String what) {
        done++;
        String line = String.format("%3d %% %s", Math.min(100, 100 * (done - 1) / total), what);
        if (terminal) {
            System.err.print("\r\u001b[K" + line);
        } else {
            System.err.println(line);
        }
    }

    void end() {
        if (terminal) {
            System.err.print("\r\u001b[K");
        }
    }
}
